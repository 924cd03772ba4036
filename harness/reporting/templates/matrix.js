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

  rules.addEventListener("input", filterRules);
  broken.addEventListener("input", filterRules);
  adapters.addEventListener("input", filterAdapters);
  find("filter").addEventListener("submit", (event) => event.preventDefault());
  find("filter").hidden = false;
  filterRules();
  filterAdapters();
}
