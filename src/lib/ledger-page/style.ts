/** The page's look. No more than two sizes of type beside the title; colours have a contrast of at least 4.5 to 1. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#566070;--ground:#f5f6f8;--card:#fff;--rule:#dde2e9;--accent:#1f5cab;--tint:#eaf1fb;--good:#166c35;--bad:#b3261e;--field:#8a94a3}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a3adbb;--ground:#11151b;--card:#1a2028;--rule:#2e3742;--accent:#85b6ff;--tint:#1d2c42;--good:#6fd693;--bad:#ff9d94;--field:#6b7686}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:1.5rem 1rem 4rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.2;margin:0}
h2{font-size:1rem;margin:2.5rem 0 .75rem}
h3{font-size:1.125rem;line-height:1.35;margin:0 0 .25rem}
p,ul,pre{margin:0}
a{color:var(--accent);white-space:nowrap}
.top{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:.25rem 1rem;margin-bottom:1.25rem}
.soft{color:var(--soft);font-size:.875rem}
.soft b{font-weight:600;color:var(--ink)}
.card{background:var(--card);border:1px solid var(--rule);border-radius:.625rem;padding:1.125rem 1.25rem 1.25rem;margin:0 0 1rem}
.evidence{list-style:none;padding:0;margin:1rem 0 0;display:grid;gap:.5rem;font-size:.9375rem}
.evidence li{border-left:3px solid var(--rule);padding:.125rem 0 .125rem .75rem}
pre{font:.8125rem/1.45 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre-wrap}
form{margin:1.25rem 0 0}
.options{list-style:none;padding:0;margin:0;display:grid;gap:.75rem}
.options li{display:grid;grid-template-columns:minmax(8.5rem,14rem) 1fr;gap:.25rem 1rem;align-items:center}
.options .soft{grid-column:2}
button{font:inherit;font-weight:600;line-height:1.3;min-height:2.75rem;width:100%;padding:.5rem .875rem;border:1px solid var(--accent);border-radius:.5rem;background:var(--card);color:var(--accent);cursor:pointer;text-align:left}
button:hover{background:var(--tint)}
label{display:block;margin:0 0 .25rem}
textarea{display:block;width:100%;min-height:2.75rem;margin-bottom:1rem;padding:.5rem .625rem;border:1px solid var(--field);border-radius:.5rem;background:var(--card);color:var(--ink);font:inherit;resize:vertical}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.banner{border:1px solid var(--good);border-left-width:5px;border-radius:.5rem;background:var(--card);padding:.75rem 1rem;margin:0 0 1.25rem}
.banner.bad{border-color:var(--bad)}
.banner b{color:var(--good)}.banner.bad b{color:var(--bad)}
.rows{list-style:none;padding:0;margin:0;background:var(--card);border:1px solid var(--rule);border-radius:.625rem}
.rows li{padding:.75rem 1.25rem}
.rows li+li{border-top:1px solid var(--rule)}
.none{padding:2.5rem 1.25rem;text-align:center;color:var(--soft)}
@media (max-width:34rem){.card{padding:1rem}.rows li{padding:.75rem 1rem}.options li{grid-template-columns:1fr}.options .soft{grid-column:1}}
@media print{button,textarea,label{display:none}}
`;
