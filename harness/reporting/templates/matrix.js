"use strict";
{
  const find = (id) => document.getElementById(id);
  const rules = find("rule-words");
  const adapters = find("adapter-words");
  const broken = find("broken-only");
  const shown = find("shown");
  const bodies = [...find("matrix").tBodies];
  const heads = [...find("matrix").tHead.rows[0].cells].slice(1);

  const matcher = (box) => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    return (cell) => {
      const text = `${cell.textContent} ${cell.dataset.words ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
  };

  const filterRules = () => {
    const matches = matcher(rules);
    let count = 0;
    for (const body of bodies) {
      const rows = [...body.rows].slice(1);
      for (const row of rows) {
        row.hidden = !matches(row.cells[0]) || (broken.checked && !row.classList.contains("broken"));
      }
      const left = rows.filter((row) => !row.hidden).length;
      body.hidden = left === 0;
      count += left;
    }
    shown.textContent = `${count} rules`;
  };

  const filterAdapters = () => {
    const matches = matcher(adapters);
    const hidden = heads.map((head) => !matches(head));
    for (const row of find("matrix").rows) {
      hidden.forEach((hide, column) => { row.cells[column + 1].hidden = hide; });
    }
  };

  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  /* The next button in a direction: along a row, or along a column. */
  const next = (cell, [down, right]) => {
    const lines = [...find("matrix").rows].filter((row) => !row.hidden && !row.parentElement.hidden);
    let row = lines.indexOf(cell.parentElement);
    let column = cell.cellIndex;
    for (;;) {
      row += down;
      column += right;
      const there = lines[row]?.cells[column];
      if (!there) return null;
      const button = there.hidden ? null : there.querySelector("button");
      if (button) return button;
    }
  };

  find("matrix").addEventListener("keydown", (event) => {
    const step = steps[event.key];
    const cell = event.target.closest("th, td");
    if (!step || !cell) return;
    event.preventDefault();
    next(cell, step)?.focus();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    rules.focus();
  });

  /* A cell that is open can be linked to. */
  const follow = () => {
    const target = find(decodeURIComponent(location.hash.slice(1)));
    if (target?.popover && !target.matches(":popover-open")) target.showPopover();
  };
  document.addEventListener("toggle", (event) => {
    if (event.newState === "open") history.replaceState(null, "", `#${encodeURIComponent(event.target.id)}`);
  }, true);
  window.addEventListener("hashchange", follow);

  rules.addEventListener("input", filterRules);
  broken.addEventListener("input", filterRules);
  adapters.addEventListener("input", filterAdapters);
  find("filter").addEventListener("submit", (event) => event.preventDefault());
  find("filter").hidden = false;
  filterRules();
  filterAdapters();
  follow();
}
