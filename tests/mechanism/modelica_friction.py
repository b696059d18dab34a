# SPDX-License-Identifier: Apache-2.0
"""The numbers of studies/modelica_stribeck.yaml and modelica_friction.yaml by Runge-Kutta steps and bisection."""
from math import *
def rk(f,y,t,h):
    k1=f(t,y);k2=f(t+h/2,[a+h/2*b for a,b in zip(y,k1)]);k3=f(t+h/2,[a+h/2*b for a,b in zip(y,k2)]);k4=f(t+h,[a+h*b for a,b in zip(y,k3)])
    return [a+h/6*(p+2*q+2*r+s) for a,p,q,r,s in zip(y,k1,k2,k3,k4)]
def march(f,y,t,end,h,g):  # until g<0, bisect the last step
    while t<end-1e-15:
        s=min(h,end-t); z=rk(f,y,t,s)
        if g(t+s,z)<0:
            lo,hi=0,s
            for _ in range(60):
                m=(lo+hi)/2
                if g(t+m,rk(f,y,t,m))<0: hi=m
                else: lo=m
            return t+hi,rk(f,y,t,hi),1
        y=z;t+=s
    return end,y,0
# stribeck
F=lambda t:25*sin(pi/2*t)
t=asin(15/25)/(pi/2); y=[0,0]; sg=1; print('slip',t)
while t<5:
    f=lambda tt,y:[y[1],F(tt)-sg*(5+10*exp(-2*abs(y[1])))-y[1]]
    t,y,hit=march(f,y,t,5,1e-4,lambda tt,z:sg*z[1] if tt>t+1e-3 else 1)
    if not hit: break
    y[1]=0; print('v=0 at',t,y)
    if abs(F(t))<=15:
        # stick until |F|=15
        tt=t
        while tt<5 and abs(F(tt))<=15: tt+=1e-5
        if tt>=5: t=5;break
        lo,hi=tt-1e-5,tt
        for _ in range(80):
            m=(lo+hi)/2
            if abs(F(m))>15: hi=m
            else: lo=m
        t=hi; sg=copysign(1,F(t)); print('slip',t)
    else: sg=copysign(1,F(t)); print('reverses')
print(t,y)
# clutch and brake
J1,J2,J3,c,d=1,.05,1,160,1
T=lambda t:200*sin(100*t) if t<.5 else 0.
# y=[w3,w2,w1,phi=phi2-phi1]; clutch mode s (0 locked), brake mode b (0 stuck, None: not loaded)
s=1; b=None; t=0.; y=[100.,90.,90.,0.]; H=2e-5; n=0
def fld(t,y,on):
    Tm=200*sin(100*t) if on else 0.
    sp=c*y[3]+d*(y[1]-y[2])
    br=0 if b is None else 800*b
    if s: return [(Tm-80*s)/J3,(80*s-sp)/J2,0 if b==0 else (sp-br)/J1,y[1]-y[2]]
    a=(Tm-sp)/(J2+J3); return [a,a,0 if b==0 else (sp-br)/J1,y[1]-y[2]]
def hold(t,y,on): # clutch torque when locked
    a=fld(t,y,on); Tm=200*sin(100*t) if on else 0.
    return Tm-J3*a[0]
while t<1:
    on=t<.5; end=.5 if on else 1.
    if not on and b is None: b=1
    def g(tt,z):
        m=[]
        if s: m.append(s*(z[0]-z[1]) if tt>t+1e-4 else 1)
        else: m.append(80-abs(hold(tt,z,on)))
        if b==1: m.append(z[2])
        return min(m)
    t,y,hit=march(lambda tt,z:fld(tt,z,on),y,t,end,H,g)
    if not hit: continue
    if b==1 and abs(y[2])<1e-9: b=0; y[2]=0.; print('brake sticks',t); continue
    if s:
        olds=s; s=0; y[0]=y[1]=(J3*y[0]+J2*y[1])/(J2+J3)
        if abs(hold(t,y,on))>80: s=1 if hold(t,y,on)>0 else -1; print('rev',t,s)
        else: print('clutch sticks',t)
    else: s=1 if hold(t,y,on)>0 else -1; print('clutch slips',t,s)
    n+=1
print(t,y)
