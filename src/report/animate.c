/* SPDX-License-Identifier: Apache-2.0
 * animate.c - a motion as one page that moves: block, spring, bristles, force and the loop as it is drawn. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/report.h"
#include "inline.h"
#include "text/escape.h"
#include "text/fail.h"

enum { FRAMES = 1500 };

static const char STYLE[] =
    ":root{color-scheme:light dark}body{margin:0;background:var(--paper);color:var(--text);font:15px/1.5 "
    "system-ui,sans-serif}"
    "main{max-width:900px;margin:0 auto;padding:16px}h1{font-size:1.2rem;margin:.2em 0;color:var(--title)}"
    "canvas{width:100%;display:block}#loop{height:300px}p{margin:.4em 0}input{width:100%}"
    "button,select{font:inherit}";

static const char *const SCRIPT[] = {
    "'use strict';",
    "const D=JSON.parse(document.getElementById('data').textContent),N=D.t.length,C=D.contacts;",
    "const "
    "cv=document.getElementById('scene'),lp=document.getElementById('loop'),bar=document.getElementById('bar'"
    "),",
    "play=document.getElementById('play'),speed=document.getElementById('speed'),now=document.getElementById("
    "'now');",
    "const css=n=>getComputedStyle(document.documentElement).getPropertyValue('--'+n).trim();",
    "const ext=a=>{let lo=Infinity,hi=-Infinity;for(const x of a){if(x<lo)lo=x;if(x>hi)hi=x}return "
    "[lo,hi>lo?hi:lo+1]};",
    "const T=D.t[N-1]-D.t[0]||1;let at=0,run=true,last=0,pos=0;",
    "const "
    "U=ext(C.flatMap(c=>c.u)),F=ext(C.flatMap(c=>c.F)),Z=Math.max(...C.flatMap(c=>c.z.map(Math.abs)))||1;",
    "const span=U[1]-U[0],L=D.spring?ext(D.spring.l):[0,0];",
    "const pair=i=>{const x=pos-i,j=Math.min(i+1,N-1);return a=>a[i]+(a[j]-a[i])*x};",
    "function fit(c){const "
    "w=c.clientWidth,h=c.clientHeight,r=window.devicePixelRatio||1;c.width=w*r;c.height=h*r;",
    "const g=c.getContext('2d');g.setTransform(r,0,0,r,0,0);g.clearRect(0,0,w,h);g.font='13px "
    "system-ui,sans-serif';return [g,w,h]}",
    "function spring(g,x0,x1,y){const n=12;g.beginPath();g.moveTo(x0,y);for(let "
    "k=0;k<=n;k++)g.lineTo(x0+(x1-x0)*(k+.5)/(n+1),y+(k%2?7:-7));",
    "g.lineTo(x1,y);g.stroke()}",
    "function scene(){const [g,w,h]=fit(cv),i=Math.floor(pos),v=pair(i),row=h/C.length;",
    "const left=90,right=w-(D.spring&&D.spring.kind==='pull'?120:60),free=D.free&&span>2*(L[1]-L[0]||span);",
    "C.forEach((c,k)=>{const base=row*(k+1)-34,u=v(c.u),z=v(c.z),f=v(c.F);",
    "const scale=free?(right-left)/(3*((L[1]-L[0])||span/4)):(right-left)/span;",
    "const x=free?left+((u-U[0])*scale)%(right-left):left+(u-U[0])*scale;",
    "g.strokeStyle=css('axis');g.lineWidth=1.5;g.beginPath();g.moveTo(10,base+18);g.lineTo(w-10,base+18);g."
    "stroke();",
    "g.lineWidth=1;for(let "
    "q=0;q<w;q+=14){g.beginPath();g.moveTo(q+8,base+18);g.lineTo(q,base+26);g.stroke()}",
    "g.strokeStyle=css('c1');g.lineWidth=2;for(let q=-20;q<=20;q+=8){g.beginPath();g.moveTo(x+q,base);",
    "g.quadraticCurveTo(x+q-4*z/Z,base+10,x+q-14*z/Z,base+18);g.stroke()}",
    "g.fillStyle=css('c0');g.fillRect(x-28,base-36,56,36);", "g.strokeStyle=css('text');g.lineWidth=1.5;",
    "if(D.spring&&k===0&&D.spring.kind==='pull'){const "
    "l=v(D.spring.l),e=x+28+30+(l-L[0])/(L[1]-L[0]||1)*60;spring(g,x+28,e,base-18);",
    "g.fillStyle=css('text');g.beginPath();g.arc(e,base-18,4,0,7);g.fill()}",
    "else if(D.spring&&D.spring.kind==='wall'&&k===0){spring(g,12,x-28,base-18);g.fillStyle=css('axis');g."
    "fillRect(6,base-40,6,58)}",
    "else "
    "if(D.spring&&D.spring.kind==='chain'&&k>0){g.setLineDash([3,3]);g.beginPath();g.moveTo(x,base-36);g."
    "lineTo(x,base-row+20);g.stroke();g.setLineDash([])}",
    "const a=f/"
    "Math.max(Math.abs(F[0]),Math.abs(F[1]))*50;g.strokeStyle=css('c2');g.lineWidth=3;g.beginPath();g.moveTo("
    "x,base+30);g.lineTo(x-a,base+30);g.stroke();",
    "g.fillStyle=css('text');if(c.label)g.fillText(c.label,12,base-44);",
    "g.fillText('F '+f.toPrecision(3)+' '+D.units.F+'   v '+v(c.v).toPrecision(3)+' "
    "'+D.units.v,x-28,base-44)})}",
    /* numbers of an axis: 1, 2 or 5 times a power of ten, about a fifth of the range apart */
    "function round(r){const "
    "raw=(r[1]-r[0])/5,p=10**Math.floor(Math.log10(raw)),q=raw/p,s=p*(q<1.5?1:q<3.5?2:q<7.5?5:10),a=[];",
    "for(let k=Math.ceil(r[0]/s);k*s<=r[1]*(1+1e-12);k++)a.push(+(k*s).toPrecision(12));return a}",
    "function loop(){const [g,w,h]=fit(lp),i=Math.floor(pos),v=pair(i),ml=76,mb=40,X=u=>ml+(u-U[0])/"
    "(U[1]-U[0])*(w-ml-14),Y=f=>h-mb-(f-F[0])/(F[1]-F[0])*(h-mb-14);",
    "g.strokeStyle=css('axis');g.lineWidth=1;g.beginPath();g.moveTo(ml,8);g.lineTo(ml,h-mb);g.lineTo(w-8,h-"
    "mb);g.stroke();",
    "g.fillStyle=css('text');g.textAlign='center';for(const u of round(U))g.fillText(u,X(u),h-mb+16);",
    "g.textAlign='right';for(const f of round(F))g.fillText(f,ml-6,Y(f)+4);",
    "g.textAlign='center';g.fillText('displacement u, "
    "'+D.units.u,(w+ml)/2,h-6);g.save();g.translate(12,(h-mb)/2);g.rotate(-Math.PI/2);g.fillText('friction "
    "force F, '+D.units.F,0,0);g.restore();g.textAlign='left';",
    "C.forEach((c,k)=>{g.strokeStyle=css('c'+(k%7));g.globalAlpha=.25;g.lineWidth=1;g.beginPath();for(let "
    "q=0;q<N;q++)g.lineTo(X(c.u[q]),Y(c.F[q]));g.stroke();",
    "g.globalAlpha=1;g.lineWidth=2;g.beginPath();for(let q=Math.max(0,i-Math.floor(N/"
    "6));q<=i;q++)g.lineTo(X(c.u[q]),Y(c.F[q]));g.lineTo(X(v(c.u)),Y(v(c.F)));g.stroke();",
    "g.fillStyle=css('c'+(k%7));g.beginPath();g.arc(X(v(c.u)),Y(v(c.F)),5,0,7);g.fill()})}",
    "function draw(){scene();loop();bar.value=pos/(N-1)*1000;now.textContent='t = "
    "'+(D.t[Math.floor(pos)]).toPrecision(4)+' s'}",
    "function tick(ms){if(run&&last){at=(at+(ms-last)/1000*speed.value)%T;let "
    "lo=0,hi=N-1;while(hi-lo>1){const m=(lo+hi)>>1;if(D.t[m]-D.t[0]<=at)lo=m;else hi=m}",
    "const "
    "d=D.t[hi]-D.t[lo];pos=lo+(d>0?(at-(D.t[lo]-D.t[0]))/d:0);draw()}last=ms;requestAnimationFrame(tick)}",
    "play.onclick=()=>{run=!run;play.textContent=run?'pause':'play'};",
    "bar.oninput=()=>{run=false;play.textContent='play';pos=bar.value/"
    "1000*(N-1);at=D.t[Math.floor(pos)]-D.t[0];draw()};",
    "window.onresize=draw;window.matchMedia('(prefers-color-scheme: dark)').onchange=draw;",
    "for(const s of [.1,.25,.5,1,2,5,10])speed.add(new Option(s+' of real time',s*1));",
    "speed.add(new Option('whole run in 15 s',T/15,true,true));",
    "if(window.matchMedia('(prefers-reduced-motion: reduce)').matches){run=false;play.textContent='play'}",
    "draw();requestAnimationFrame(tick);"};

br_status br_animation_check(const char *path, br_err *err)
{
  const size_t n = path ? strlen(path) : 0;
  if (n > 5 && strcmp(path + n - 5, ".html") == 0) return BR_OK;
  return bri_fail(err, BR_E_ARG, "page '%.120s': the name must end in .html", path ? path : "");
}

/* A column of a table by name; -1: none. */
static int column(const br_result_table *t, const char *name)
{
  for (size_t i = 0; i < t->ncol; i++)
    if (strcmp(t->columns[i].name, name) == 0) return (int)i;
  return -1;
}

/* "name":[...], every stride-th row and the last. */
static void numbers(bri_buf *out, const char *name, const br_result_table *t, int k, size_t stride)
{
  bri_buf_printf(out, "\"%s\":[", name);
  for (size_t i = 0; i < t->rows; i += stride) {
    const double x = k < 0 ? 0 : t->data[i * t->ncol + (size_t)k];
    bri_buf_printf(out, i ? ",%.6g" : "%.6g", isfinite(x) ? x : 0);
  }
  bri_buf_text(out, "]");
}

/* Text of JSON that no page takes for markup. */
static void safe(bri_buf *out, const char *s)
{
  bri_buf json = {0};
  bri_buf_json(&json, s);
  for (const char *c = json.text ? json.text : "\"\""; *c; c++) {
    if (*c == '<' || *c == '>' || *c == '&') bri_buf_printf(out, "\\u%04x", (unsigned)*c);
    else bri_buf_add(out, c, 1);
  }
  if (json.failed) out->failed = 1;
  bri_buf_free(&json);
}

static void data(bri_buf *out, const br_result *result, const char *spring)
{
  const br_result_table *t = br_result_table_find(result, "contact1");
  const size_t stride = 1 + t->rows / FRAMES;
  const int l = column(t, "l");
  char name[32] = "contact1";
  bri_buf_text(out, "{");
  numbers(out, "t", t, 0, stride);
  bri_buf_text(out, ",\"units\":{\"u\":");
  safe(out, t->columns[1].unit), bri_buf_text(out, ",\"v\":"), safe(out, t->columns[2].unit);
  bri_buf_text(out, ",\"F\":"), safe(out, t->columns[3].unit);
  bri_buf_printf(out, "},\"free\":%s,", l >= 0 || !spring ? "true" : "false");
  if (l >= 0)
    bri_buf_text(out, "\"spring\":{\"kind\":\"pull\","), numbers(out, "l", t, l, stride),
        bri_buf_text(out, "},");
  else if (spring)
    bri_buf_text(out, "\"spring\":{\"kind\":"), safe(out, spring), bri_buf_text(out, ",\"l\":[0]},");
  bri_buf_text(out, "\"contacts\":[");
  for (size_t k = 1; t; k++) {
    bri_buf_text(out, k > 1 ? ",{\"label\":" : "{\"label\":");
    safe(out, t->label ? t->label : "");
    static const char *const COLUMNS[] = {"u", "v", "F", "z"};
    for (size_t i = 0; i < 4; i++)
      bri_buf_text(out, ","), numbers(out, COLUMNS[i], t, column(t, COLUMNS[i]), stride);
    bri_buf_text(out, "}");
    (void)snprintf(name, sizeof name, "contact%zu", k + 1);
    t = br_result_table_find(result, name);
  }
  bri_buf_text(out, "]}");
}

br_status br_animation_write(const char *path, const char *title, const char *spring, const br_result *result,
                             br_err *err)
{
  const br_result_table *t = result ? br_result_table_find(result, "contact1") : NULL;
  bri_buf out = {0};
  br_status st = br_animation_check(path, err);
  if (st) return st;
  if (!t || !t->data || t->rows < 2 || t->ncol < 4)
    return bri_fail(err, BR_E_NAME, "page '%.80s': there is no motion to show", path);
  bri_buf_text(
      &out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
            "content=\"width=device-width, initial-scale=1\">\n<title>");
  bri_buf_html(&out, title ? title : "Motion");
  bri_buf_text(&out, "</title>\n<style>\n");
  bri_inline_style(&out);
  bri_buf_printf(&out, "%s#scene{height:%zupx}\n</style>\n</head>\n<body>\n<main>\n<h1>", STYLE,
                 br_result_table_find(result, "contact2") ? (size_t)320 : (size_t)170);
  bri_buf_html(&out, title ? title : "Motion");
  bri_buf_text(
      &out,
      "</h1>\n<canvas id=\"scene\" role=\"img\" aria-label=\"the mechanism in motion\"></canvas>\n<p><button "
      "id=\"play\">pause</button> <select id=\"speed\" aria-label=\"speed\"></select> <span "
      "id=\"now\"></span></p>\n<input id=\"bar\" type=\"range\" min=\"0\" max=\"1000\" step=\"any\" "
      "value=\"0\" aria-label=\"time\">\n<canvas id=\"loop\" role=\"img\" aria-label=\"force over "
      "displacement\"></canvas>\n</main>\n<script id=\"data\" type=\"application/json\">");
  data(&out, result, spring);
  bri_buf_text(&out, "</script>\n<script>\n");
  for (size_t i = 0; i < sizeof SCRIPT / sizeof SCRIPT[0]; i++) bri_buf_printf(&out, "%s\n", SCRIPT[i]);
  bri_buf_text(&out, "</script>\n</body>\n</html>\n");
  st = out.failed ? bri_fail(err, BR_E_NOMEM, "page '%.120s': out of memory", path)
                  : bri_buf_save(&out, path, err);
  bri_buf_free(&out);
  return st;
}
