# SPDX-License-Identifier: Apache-2.0
"""The event times of studies/modelica_clutches.yaml by closed forms of the speeds between events."""
from math import *
# Coupled clutches by closed forms between events
S=lambda t: -cos(10*pi*t)/pi            # integral of 10 sin(10 pi t)
C=lambda t: 25/pi*sin(0.4*pi*t)         # integral of 10 cos(0.4 pi t)
T=lambda t: 10*sin(10*pi*t)
def level(c,t): return max(0,[10*cos(.4*pi*t),10*(t>=.4),10*(t>=.9)][c])
def ilevel(c,a,b): return [C(b)-C(a),10*(b-a)*(a>=.4),10*(b-a)*(a>=.9)][c]
w=[10.,0,0,0]; mode=[1,0,0]; t0=0; ev=[]     # 0: locked, +-1
def groups(mode):
    g=[[0]]
    for c in range(3):
        if mode[c]==0: g[-1].append(c+1)
        else: g.append([c+1])
    return g
def acc(mode,t):
    a=[0]*4
    for g in groups(mode):
        f=(T(t) if 0 in g else 0)
        for c in range(3):
            if mode[c]!=0:
                f+= -mode[c]*level(c,t)*(c in g and c+1 not in g)+mode[c]*level(c,t)*(c+1 in g and c not in g)
        for i in g: a[i]=f/len(g)
    return a
def hold(mode,t):   # torque of locked clutches, from left
    a=acc(mode,t); h=[0]*3; f=T(t)
    for c in range(3):
        f-=a[c]           # what passes on to the right through clutch c
        h[c]=f
    return h
def vel(mode,w,t0,t):
    r=list(w)
    for g in groups(mode):
        f=(S(t)-S(t0) if 0 in g else 0)
        for c in range(3):
            if mode[c]!=0:
                L=ilevel(c,t0,t)
                f+= -mode[c]*L*(c in g and c+1 not in g)+mode[c]*L*(c+1 in g and c not in g)
        for i in g: r[i]=w[i]+f/len(g)
    return r
marks=[.4,.9,1.2]
def margins(t):
    v=vel(mode,w,t0,t); h=hold(mode,t)
    return [mode[c]*(v[c]-v[c+1]) if mode[c] else 1.1*level(c,t)-abs(h[c]) for c in range(3)]
def active(c,t): return level(c,t)>0 or mode[c]
def settle(t):
    for _ in range(5):
        h=hold(mode,t)
        for c in range(3):
            if mode[c]==0 and abs(h[c])>1.1*level(c,t)+1e-12:
                mode[c]=1 if h[c]>0 else -1; ev.append((t,c+1,'slip',mode[c])); break
        else: return
settle(0)
while t0<1.2:
    end=min(m for m in marks if m>t0+1e-15)
    n=2000; hit=None; prev=t0
    for k in range(1,n+1):
        t=t0+(end-t0)*k/n
        if t>=end: t=end-1e-14
        g=margins(t)
        bad=[c for c in range(3) if g[c]<-1e-11]
        if bad:
            best=None
            for c in bad:
                lo,hi=prev,t
                for _ in range(100):
                    mid=(lo+hi)/2
                    if margins(mid)[c]<0: hi=mid
                    else: lo=mid
                if best is None or hi<best[0]: best=(hi,c)
            hit=best; break
        prev=t
    if hit:
        t,c=hit; w=vel(mode,w,t0,t); t0=t
        if mode[c]:
            old=mode[c]; mode[c]=0; m=(w[c]+w[c+1])/2; w[c]=w[c+1]=m
            h=hold(mode,t)
            if abs(h[c])<=1.1*level(c,t): ev.append((t,c+1,'stick',0))
            else: mode[c]=1 if h[c]>0 else -1; ev.append((t,c+1,'reversal',mode[c]))
        else:
            h=hold(mode,t); mode[c]=1 if h[c]>0 else -1; ev.append((t,c+1,'slip',mode[c]))
    else:
        w=vel(mode,w,t0,end-1e-15); t0=end
        if end<1.2: settle(end)
for e in ev: print(e)
print('final',w)
