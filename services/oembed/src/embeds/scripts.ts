/**
 * The two ends of a frame's talk, as scripts that stand in pages: the page inside tells how high it is and that a reader
 * wants to go on to it; the page around listens. The page around believes only what comes from a frame of its own that
 * carries the secret, and only so much of it: a height within bounds, an address of the frame's own site.
 */
const compact = (script: string): string => script.trim().replace(/\n\s*/g, '');

/** In the page around; may stand there several times. Knows no more of the frame than its attributes. */
export const HOST_SCRIPT = compact(`
(function(w,d){
if(w.siteEmbedsListen)return;
w.siteEmbedsListen=true;
w.addEventListener("message",function(e){
var m=e.data,f,i,q,h,u;
if(!m||typeof m!=="object"||typeof m.secret!=="string"||!/^[A-Za-z0-9]{10}$/.test(m.secret))return;
f=d.querySelectorAll('iframe.site-embedded-content[data-secret="'+m.secret+'"]');
for(i=0;i!==f.length;i++){
if(f[i].contentWindow!==e.source)continue;
if(m.message==="height"){
h=Math.ceil(Number(m.value));
if(!(h>0))continue;
f[i].height=Math.min(Math.max(h,200),1000);
q=f[i].previousElementSibling;
if(q!==null)if(q.matches('blockquote.site-embedded-content[data-secret="'+m.secret+'"]'))q.style.display="none";
}else if(m.message==="link"){
try{u=new URL(m.value)}catch(_){continue}
if(u.origin===new URL(f[i].src).origin)if(d.activeElement===f[i])w.top.location.href=u.href;
}
}
});
})(window,document);
`);

/** In the page inside. The secret is in the fragment, which no server sees. */
export const PAGE_SCRIPT = compact(`
(function(w,d){
var s=/[?&]secret=([A-Za-z0-9]{10})(?:&|$)/.exec(w.location.hash),last=0;
if(!s||w.parent===w)return;
function tell(message,value){w.parent.postMessage({message:message,value:value,secret:s[1]},"*")}
function height(){
var h=Math.ceil(d.getElementById("embed").getBoundingClientRect().height);
if(h!==last){last=h;tell("height",h)}
}
d.addEventListener("click",function(e){
var a=e.target.closest("a");
if(!a||e.defaultPrevented||e.button||e.ctrlKey||e.metaKey||e.shiftKey||e.altKey)return;
e.preventDefault();
tell("link",a.href);
});
w.addEventListener("load",height);
w.addEventListener("resize",height);
if(w.ResizeObserver)new ResizeObserver(height).observe(d.getElementById("embed"));
height();
})(window,document);
`);
