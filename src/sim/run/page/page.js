// The page of a report. All it shows comes from the data; names only ever become text, never markup.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const page = document.getElementById('page');
  const runs = data.scenarios;
  const several = runs.length > 1;
  // Variants of one file begin alike, up to ": "; that is said once.
  const file = several && runs[0].name.includes(': ') ? runs[0].name.slice(0, runs[0].name.indexOf(': ') + 2) : '';
  const variants = file !== '' && runs.every((run) => run.name.startsWith(file));
  if (variants) for (const run of runs) run.name = run.name.slice(file.length);
  const kScenarioColours = ['#2f6db5', '#d9822b', '#4a9d6f', '#8b5fb0', '#b8433a', '#5b6b7a', '#2aa1b0', '#a8892c'];
  const colour = (i) => kScenarioColours[i % kScenarioColours.length];
  const kUses = [
    ['work', 'computing', '#2f8f73'], ['lost', 'work that was lost and done again', '#c0473b'],
    ['starting', 'starting: boot, image pull', '#e3a93c'], ['idle', 'idle', '#cdd4db']];
  const kKinds = [
    ['work', 'work', '#2f8f73'], ['warmup', 'starting machines and images', '#e3a93c'], ['idle', 'idle machines', '#cdd4db'],
    ['waste', 'waste: lost work, machines nobody used', '#c0473b'], ['credit', 'given back by the seller', '#7fb2e5']];

  // ---- elements and texts ----

  function element(tag, parent, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    if (parent) parent.appendChild(made);
    return made;
  }
  function dotted(parent, index, text) {
    const dot = element('span', parent, 'dot');
    dot.style.background = colour(index);
    parent.appendChild(document.createTextNode(text));
  }
  function number(value, decimals) {
    return value.toLocaleString('en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
  }
  function short(value) {
    const size = Math.abs(value);
    return number(value, Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2);
  }
  function duration(seconds) {
    if (seconds < 120) return number(seconds, 0) + ' s';
    if (seconds < 7200) return number(seconds / 60, seconds < 600 ? 1 : 0) + ' min';
    if (seconds < 172800) return number(seconds / 3600, 1) + ' h';
    return number(seconds / 86400, 1) + ' days';
  }
  const dollars = (value) => (value < 0 ? '−$' : '$') + number(Math.abs(value), value !== 0 && Math.abs(value) < 100 ? 2 : 0);
  const kFormats = {
    count: short, percent: (value) => number(value, 1) + ' %', dollars,
    minutes: (value) => duration(value * 60), hours: (value) => duration(value * 3600), ratio: short};
  const format = (measure, value) => kFormats[measure.unit](value);
  // Where it has no such jobs, there is no value.
  const mean = (run, measure) => run.measures[measure.key]?.mean ?? null;
  function meanAndDeviation(measure, value) {
    if (value === null) return '–';
    return format(measure, value.mean) + (data.seeds > 1 ? ' ± ' + format(measure, value.deviation) : '');
  }

  // ---- the head ----

  element('h1', page, '', variants ? file.slice(0, -2) : runs.length === 2 ? runs[0].name + ' compared with ' + runs[1].name : runs.map((run) => run.name).join(', '));
  const note = 'Simulated, not measured: no bill of any machine. Prices of ' + data.pricesAsOf + '. ' +
      (data.seeds > 1 ? data.seeds + ' runs with different chance; figures are means, ± is the standard deviation; charts show the first run.'
                      : 'One run; the same file and seed give the same figures.');
  element('p', page, 'soft', note);
  const stories = element('div', page, 'stories');
  for (const text of new Set(runs.map((run) => run.about).filter((about) => about))) element('p', stories, '', text);
  runs.forEach((run, i) => {
    const line = element('p', stories);
    if (several) dotted(line, i, run.name + ': ');
    line.appendChild(document.createTextNode(run.story));
    for (const warning of run.warnings) element('p', stories, 'warning', (several ? run.name + ': ' : '') + warning);
  });

  // ---- key figures ----

  const cards = element('div', page, 'cards');
  const headlines = data.measures.filter((one) => one.headline && runs.some((run) => (one.ofHowMany ? mean(run, one) !== null : mean(run, one) !== 0)));
  for (const measure of headlines) {
    const card = element('div', cards, 'card');
    element('div', card, 'name', measure.name);
    runs.forEach((run, i) => {
      const value = run.measures[measure.key];
      const line = element('div', card, 'value');
      if (several) {
        dotted(line, i, '');
        line.title = run.name;
      }
      line.appendChild(document.createTextNode(value === null ? '–' : format(measure, value.mean)));
      if (value === null) return;
      if (value.deviation > 0) element('small', line, '', '± ' + format(measure, value.deviation));
      if (measure.ofHowMany) element('small', line, '', 'of ' + format(measure, run.measures[measure.ofHowMany].mean));
    });
    if (runs.length !== 2) continue;
    const [first, second] = runs.map((run) => mean(run, measure));
    if (first === null || second === null || first === 0 || first === second) continue;
    const change = (second - first) / Math.abs(first) * 100;
    const good = measure.better === 'none' ? '' : (change < 0) === (measure.better === 'less') ? 'better' : 'worse';
    const times = second / first;
    element('div', card, 'change ' + good,
            times >= 2 ? number(times, 1) + ' times as much' : times > 0 && times < 0.02 ? number(times * 100, 2) + ' % of it' : (change > 0 ? '+' : '−') + number(Math.abs(change), 0) + ' %');
  }

  // ---- charts ----

  Chart.defaults.animation = false;
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.color = '#61707f';
  Chart.defaults.plugins.legend.position = 'bottom';
  Chart.defaults.plugins.legend.labels.boxWidth = 12;

  function section(title, text) {
    element('h2', page, '', title);
    element('p', page, 'soft', text);
    return element('div', page, runs.length > 4 ? 'grid small' : 'grid');
  }
  function chart(parent, title, index, configuration) {
    const box = element('div', parent, 'chart');
    if (title) {
      const head = element('h3', box);
      if (several && index !== null) dotted(head, index, title); else head.textContent = title;
    }
    new Chart(element('canvas', element('div', box, 'canvas')), configuration);
  }
  const days = (run) => run.series.stepSeconds / 86400;
  // Ticks at round times: of minutes, hours or days, by the length of the run.
  const kTickMinutes = [1, 2, 5, 10, 20, 30, 60, 120, 180, 360, 720];
  function timeAxis(run) {
    const length = run.simulatedSeconds / 60;
    const step = kTickMinutes.find((minutes) => length / minutes <= 8) ?? Math.ceil(length / 1440 / 8) * 1440;
    const text = (day) => {
      const minutes = Math.round(day * 1440);
      return step >= 1440 ? 'day ' + minutes / 1440 : step >= 60 ? minutes / 60 + ' h' : minutes + ' min';
    };
    return {type: 'linear', min: 0, max: run.simulatedSeconds / 86400, title: {display: false}, grid: {display: false},
            ticks: {callback: text, stepSize: step / 1440, includeBounds: false}};
  }
  // Steps as they are: a value holds for the whole step.
  function points(run, values) {
    return values.map((value, i) => ({x: i * days(run), y: value}));
  }
  const clock = (items) => {
    const day = Math.floor(items[0].parsed.x + 1e-9);
    const minutes = Math.round((items[0].parsed.x - day) * 1440);
    return 'day ' + day + ', ' + String(Math.floor(minutes / 60)).padStart(2, '0') + ':' + String(minutes % 60).padStart(2, '0');
  };
  const perRun = (title) => (several ? (run) => run.name : () => title);

  // One highest value for all, so that scenarios can be compared by eye.
  const most = (of, least) => Math.max(least, ...runs.map(of)) * 1.02;

  if (runs.length > 2) {
    const grid = section('Side by side', 'The key figures of all of them.');
    grid.classList.add('small');
    for (const measure of headlines) chart(grid, measure.name, null, {
      type: 'bar',
      data: {labels: runs.map((run) => run.name),
             datasets: [{data: runs.map((run) => mean(run, measure)), backgroundColor: runs.map((_, i) => colour(i)), categoryPercentage: 0.8}]},
      options: {maintainAspectRatio: false,
                plugins: {legend: {display: false}, tooltip: {callbacks: {label: (item) => format(measure, item.parsed.y)}}},
                scales: {x: {grid: {display: false}, ticks: {maxRotation: 45, autoSkip: false, font: {size: 11}}},
                         y: {beginAtZero: true, ticks: {callback: (value) => format(measure, value), maxTicksLimit: 6}}}}});
  }
  {
    const grid = section('What the GPUs do',
        'GPUs that are paid for, over time. The height is what is paid; green is what computes.');
    const high = most((run) => Math.max(...run.series.idle.map((_, i) => kUses.reduce((sum, [key]) => sum + run.series[key][i], 0))), 1);
    runs.forEach((run, i) => chart(grid, perRun('GPUs')(run), i, {
      type: 'line',
      data: {datasets: kUses.filter(([key]) => run.series[key].some((value) => value > 0)).map(([key, label, fill]) => ({
        label, data: points(run, run.series[key]), backgroundColor: fill, borderColor: fill, borderWidth: 0, fill: true, pointRadius: 0, stepped: 'before'}))},
      options: {maintainAspectRatio: false, interaction: {mode: 'index', intersect: false},
                plugins: {tooltip: {callbacks: {title: clock, label: (item) => item.dataset.label + ': ' + short(item.parsed.y)}}},
                scales: {x: timeAxis(run), y: {stacked: true, beginAtZero: true, suggestedMax: high, title: {display: true, text: 'GPUs'}}}}}));
  }
  {
    const grid = section('How many jobs wait', 'Jobs that were submitted and have no machine yet, over time.');
    const datasets = runs.map((run, i) => ({
      label: several ? run.name : 'jobs that wait', data: points(run, run.series.jobsWaiting), borderColor: colour(i),
      backgroundColor: colour(i), borderWidth: 1.6, pointRadius: 0, stepped: 'before'}));
    const longest = runs.reduce((a, b) => (a.simulatedSeconds > b.simulatedSeconds ? a : b));
    chart(grid, '', null, {
      type: 'line', data: {datasets},
      options: {maintainAspectRatio: false, interaction: {mode: 'nearest', axis: 'x', intersect: false},
                plugins: {tooltip: {callbacks: {title: clock, label: (item) => item.dataset.label + ': ' + short(item.parsed.y)}}},
                scales: {x: timeAxis(longest), y: {beginAtZero: true, title: {display: true, text: 'jobs'}}}}});
  }
  if (runs.some((run) => run.measures.billedDollars.mean > 0)) {
    const grid = section('Where the money goes, day by day', 'The bill of each day, by what it paid for.');
    const high = most((run) => Math.max(...run.days.map((day) => kKinds.reduce((sum, [key]) => sum + Math.max(0, day[key]), 0))), 0.01);
    runs.forEach((run, i) => chart(grid, perRun('US dollars a day')(run), i, {
      type: 'bar',
      data: {labels: run.days.map((_, day) => 'day ' + day),
             datasets: kKinds.filter(([key]) => run.days.some((day) => day[key] !== 0)).map(([key, label, fill]) => ({
               label, data: run.days.map((day) => day[key]), backgroundColor: fill, barPercentage: 1, categoryPercentage: 0.86}))},
      options: {maintainAspectRatio: false, interaction: {mode: 'index', intersect: false},
                plugins: {tooltip: {callbacks: {label: (item) => item.dataset.label + ': ' + dollars(item.parsed.y)}}},
                scales: {x: {stacked: true, grid: {display: false}, ticks: {maxTicksLimit: 8, maxRotation: 0}},
                         y: {stacked: true, suggestedMax: high, ticks: {callback: (value) => dollars(value)}}}}}));
  }
  {
    const grid = section('How evenly jobs are served',
        'How many of the jobs fall into each class. First: from submission to the first machine. Second: from start to finish beyond the work itself — image pulls, restarts, work done twice.' +
        (runs.some((run) => run.multiNode) ? ' Third: the waits of multi-node jobs alone.' : ''));
    const spread = (title, key, shown) => chart(grid, title, null, {
      type: 'bar',
      data: {labels: data.bins, datasets: shown.map((run) => ({
        label: several ? run.name : 'jobs', data: run[key], backgroundColor: colour(runs.indexOf(run)), categoryPercentage: 0.8, barPercentage: 0.95}))},
      options: {maintainAspectRatio: false,
                plugins: {legend: {display: several}, tooltip: {callbacks: {label: (item) => item.dataset.label + ': ' + number(item.parsed.y, 1) + ' % of jobs'}}},
                scales: {x: {grid: {display: false}, ticks: {maxRotation: 60, autoSkip: false, font: {size: 11}}},
                         y: {beginAtZero: true, ticks: {callback: (value) => value + ' %'}}}}});
    spread('Wait for a machine', 'waits', runs);
    spread('Time lost between start and finish', 'overheads', runs);
    const parts = runs.filter((run) => run.multiNode);
    if (parts.length > 0) spread('Wait of multi-node jobs for their machines', 'multiNodeWaits', parts);
  }
  {
    const grid = section('Jobs done, machines lost',
        'Jobs that succeeded on each day' + (runs.some((run) => run.days.some((day) => day.machinesLost > 0)) ? ', and spot machines that the seller took back.' : '.'));
    const high = most((run) => Math.max(...run.days.map((day) => day.jobsDone)), 1);
    runs.forEach((run, i) => chart(grid, perRun('a day')(run), i, {
      type: 'bar',
      data: {labels: run.days.map((_, day) => 'day ' + day),
             datasets: [{label: 'jobs done', data: run.days.map((day) => day.jobsDone), backgroundColor: '#2f8f73', categoryPercentage: 0.86, barPercentage: 1},
                        {label: 'machines taken back', data: run.days.map((day) => day.machinesLost), backgroundColor: '#c0473b', categoryPercentage: 0.86, barPercentage: 1}]
               .filter((set) => set.label === 'jobs done' || set.data.some((value) => value > 0))},
      options: {maintainAspectRatio: false, interaction: {mode: 'index', intersect: false},
                scales: {x: {grid: {display: false}, ticks: {maxTicksLimit: 8, maxRotation: 0}}, y: {beginAtZero: true, suggestedMax: high}}}}));
  }

  // ---- tables ----

  function table(heads, rows) {
    const made = element('table', element('div', page, 'table'));
    const head = element('tr', element('thead', made));
    for (const text of heads) element('th', head, '', text);
    const body = element('tbody', made);
    for (const row of rows) {
      const line = element('tr', body, row.kind);
      for (const cell of row.cells) element('td', line, '', cell);
    }
  }
  const money = (figures, kind) => dollars(Number(figures.costDollars[kind]));
  const spent = (times, which) => (times === null ? '–' : duration(times[which]));
  const deadlines = runs.some((run) => run.all.deadlines > 0);
  function tenantRow(name, figures, kind) {
    const done = figures.succeeded;
    const met = figures.deadlines > 0 ? number(figures.deadlinesMet, 0) + ' of ' + number(figures.deadlines, 0) : '–';
    return {kind, cells: [name, number(figures.submitted, 0), number(done, 0), spent(figures.waitSeconds, 'mean'), spent(figures.waitSeconds, 'p95'),
                         spent(figures.runSeconds, 'mean'), done ? short(figures.slowdown) : '–', number(figures.usefulGpuHours, 0), number(figures.shareOfGpus * 100, 1) + ' %',
                         money(figures, 'sum'), money(figures, 'idle'), money(figures, 'waste'),
                         done ? dollars(Number(figures.costDollars.sum) / done) : '–', number(figures.interruptions, 0), number(figures.lostHours, 1) + ' h',
                         ...(deadlines ? [met] : [])]};
  }
  element('h2', page, '', 'By tenant');
  element('p', page, 'soft', 'Whose jobs waited, ran and cost what' + (data.seeds > 1 ? ', in the first run.' : '.') +
      ' Idle machines that nobody in particular kept are in the last row only.');
  runs.forEach((run, i) => {
    if (several) dotted(element('h3', page, 'run'), i, run.name);
    const names = Object.keys(run.tenants);
    const shown = names.sort((a, b) => run.tenants[b].usefulGpuHours - run.tenants[a].usefulGpuHours).slice(0, 30);
    const rows = names.length > 1 ? shown.map((name) => tenantRow(name, run.tenants[name], '')) : [];
    if (names.length > shown.length) rows.push({cells: ['… and ' + (names.length - shown.length) + ' more']});
    rows.push(tenantRow('all', run.all, 'sum'));
    if (run.multiNode) rows.push(tenantRow('single-node jobs', run.singleNode, 'part'), tenantRow('multi-node jobs', run.multiNode, 'part'));
    table(['tenant', 'jobs', 'done', 'mean wait', '95 % wait at most', 'mean run', 'slow-down', 'useful GPU hours', 'of all GPUs', 'cost', 'of it idle', 'of it waste',
           'for a job', 'inter-rupted', 'work lost', ...(deadlines ? ['dead-lines met'] : [])], rows);
  });

  element('h2', page, '', 'All figures');
  element('p', page, 'soft', 'Waits are of jobs that got a machine; times to the end, slowdown and overhead are of jobs that were done. Slowdown: time from submission to the end against the time of the work alone. Overhead: from start to finish beyond the work.');
  table(['', ...runs.map((run) => run.name)],
        data.measures.map((measure) => ({cells: [measure.name, ...runs.map((run) => meanAndDeviation(measure, run.measures[measure.key]))]})));

  element('footer', page, 'soft', 'stoker simulate run. Charts: Chart.js ' + Chart.version + ', MIT licence.');
})();
