/// Style sheet of the HTML report, for light and dark mode, from the width of a phone upwards.
enum EvaluationStyle {
    static let sheet = """
        :root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --dim: #57606a; --line: #d0d7de;
          --range: #dbe9fb; --reading: #1f6feb; --good: #14682b; --bad: #b3161b; --doubt: #7a5200; }
        @media (prefers-color-scheme: dark) { :root { --back: #0d1117; --text: #e6edf3; --dim: #9aa4af;
          --line: #30363d; --range: #16294a; --reading: #58a6ff; --good: #56d364; --bad: #ff7b72; --doubt: #e3b341; } }
        body { background: var(--back); color: var(--text); font: 16px/1.45 system-ui, sans-serif;
          max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
        h1 { font-size: 1.4rem; margin: 0 0 .6rem; }
        h2 { font-size: 1.15rem; margin: 1.6rem 0 .4rem; }
        h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: 0 0 1rem; }
        dt, .key, small { color: var(--dim); }
        dd { margin: 0; }
        .key { font-size: .85rem; }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem .3rem 0; text-align: left;
          vertical-align: top; overflow-wrap: normal; }
        thead th { color: var(--dim); font-size: .85rem; font-weight: 600; }
        tbody th { font-weight: 400; min-width: 6rem; max-width: 14rem; overflow-wrap: anywhere; }
        section table { font-size: .9rem; }
        section td { white-space: nowrap; }
        @media (max-width: 40rem) { section small { display: block; } }
        .matrix { width: 100%; }
        .matrix tr:not(.state) tbody th, .matrix tbody tr:not(.state) th { padding-left: .8rem; }
        .matrix small { display: block; }
        .state th { font-weight: 700; }
        .holds b { color: var(--good); } .fails b { color: var(--bad); } .not-covered b { color: var(--doubt); }
        .warnings { padding-left: 1.2rem; }
        .warnings li::marker { color: var(--doubt); }
        .names { position: relative; height: 1.2rem; font-size: .75rem; color: var(--dim); }
        .names span { position: absolute; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        svg { display: block; width: 100%; height: 64px; border-bottom: 1px solid var(--line); }
        .axis { display: flex; justify-content: space-between; font-size: .75rem; color: var(--dim);
          margin-bottom: .4rem; }
        .range { fill: var(--range); background: var(--range); }
        .reading { fill: var(--reading); background: var(--reading); }
        .leak { fill: var(--bad); background: var(--bad); }
        .swatch { display: inline-block; width: .8rem; height: .8rem; margin-left: .4rem; }
        """
}
