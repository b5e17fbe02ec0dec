/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "96e37fe1300160f5670cf549a5bd83b2465a5958",
  source: `local S,ak,cj,bo,gA=struct.pack,struct.unpack,string.format,string.find,string.byte
local R,dO,O,z,W,ag=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local av=4503599627370496
local aO=4000
local ba=0
local bb,ao,bz,cb,dV,cP,cU,cS,cT,db,fg,ff,eY,fi,fd,fe,ca,cB,cV,fh,cO,cx,cy,gz,gx,gy,cZ=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-11,-8,-9,-10,5,2,3,3,2,3,2
local i,bT=tonumber(ARGV[3]),3600000
if not i then
local eT=R("TIME")
i,bT=eT[1]*1000+W(eT[2]/1000),0
end
local bw,bA,by,cR,dU,dT=4,8,16,32,64,128
local dS="<I7"
local dX="<I4c0"
local cv="<I4i7i6"
local cz,dZ,cY="<i6I4I7",17,256
local de=bit.band
local function eH(T,h,aN,cI,aI,aX,fm,fs,bY)
return{
definition=T,kind=h,rate=aN,period=cI,ticks_per_unit=aI,
refill_per_ms=aX,capacity_ticks=fm,debt_ticks=fs,share=bY,
}
end
local aV,bu=cjson.decode(ARGV[1]),nil
for o=1,#aV do aV[o]=eH(unpack(aV[o]))end
if ARGV[2]and ARGV[2]~=""then bu=cjson.decode(ARGV[2])end
local au=#KEYS
local bM=R("MGET",unpack(KEYS,1,O(au,aO)))
for P=aO+1,au,aO do
local eg=R("MGET",unpack(KEYS,P,O(P+aO-1,au)))
for o=1,#eg do bM[P+o-1]=eg[o]end
end
local bj,bB,N
if bu then bj,bB,N=bu.owners,bu.anchors,bu.steps end
if not bu or bu.takes_units then
local ar,ab,t,V,B,ai=true,nil,{i,0},0,nil,nil
local bm,E,aK,bl,aJ,aG={},nil,nil,nil,nil,nil
if N then E,aK,bl,aJ,aG={},{},{},{},{}end
for a=1,au do
local b,I=aV[bj and bj[a]or 1],bM[a]
local T,d,e,g,p=b.definition,0,i,0,nil
if not I then
ab=ab or{}
ab[#ab+1]=KEYS[a]
if b.kind>=ao then e=i-(i-(bB and bB[a]or 0))%b.period end
elseif bo(I,T,1,true)==1 then
local f=#T+1
local aq,m=#I-f,nil
if aq>=9 then
m,e,d=ak("<Bi6I3",I,f)
g,f=d,f+10
if m>0 then
local C=m%4
local bq,bp=m%16>=bA,m%32>=by
if aq<9+2*C+(bq and 7 or 0)+(bp and 7 or 0)then
f=nil
else
if C>0 then d,f=ak(C==1 and"<I5"or"<I7",I,f-3)end
g=m%16>=bw and 0 or d
if bq then g,f=ak("<I7",I,f)end
if bp then p,f=ak("<I7",I,f)end
end
end
else
f=nil
end
if f~=#I+1 then ar=false end
else
ar=false
end
if e>i or b.rate==0 or b.kind>=cb then ar=false end
if not ar then break end
local f=cx+cy*(a-1)
t[f+1],t[f+2],t[f+3]=d,i-e,d-g
if p then
bm[a],B=p,B or{}
local H=#B
B[H+1],B[H+2],B[H+3]=a,p,0
end
if N then E[a],aK[a],bl[a],aJ[a]=b,d,e,g end
end
if ab and ar and(#ab>aO or R("EXISTS",unpack(ab))>0)then ar=false end
if ar and not N then
for a=1,au do
local b,f=aV[bj and bj[a]or 1],cx+cy*(a-1)
local h,d,e,p=b.kind,t[f+1],i-t[f+2],bm[a]
local g=d-t[f+3]
local r,aj
if h<ao then
local v=i-e
if v>0 then
d,e=d-v*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,b.ticks_per_unit
elseif h==ao then
local v=i-e
if v>=b.period then
local J=W(v/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,1
else
local v=i-e
if v>=b.period then
local J=W(v/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-z(0,i-e))end
aj=1
end
if r+b.ticks_per_unit<=b.capacity_ticks then
d,g,V=d+aj,g+aj,V+1
local T,m,G,A=b.definition,0,nil,nil
if h<ao then
G=d==0 and 0 or e-i+ag(d/b.refill_per_ms)
elseif h==ao then
G=d==0 and 0 or e+ag(d/b.rate)*b.period-i
else
G=d>0 and e+2*b.period-i or p and e+b.period-i or 0
end
if d<16777216 and g==d and not p then
A=S("<c0Bi6I3",T,m,e,d)
else
local aE,B="<c0Bi6I3",""
if d>=1099511627776 then aE,m="<c0Bi6I7",m+2
elseif d>=16777216 then aE,m="<c0Bi6I5",m+1
end
if g~=d and g==0 then m=m+bw
elseif g~=d then m,B=m+bA,S("<I7",g)
end
if p then m,B=m+by,B..S("<I7",p)end
A=S(aE,T,m,e,d)..B
end
local aA=cj("%d",(G<av and G or av)+bT)
local cu=dO("PSETEX",KEYS[a],aA,A)
ai=ai or cu.err
end
end
elseif ar then
local f,H=1,#N
while f<=H do
local P,cD,bS=f,f,true
if N[f]==cB then P,cD=f+2,f+1+N[f+1]end
for dE=P,cD do
local a=N[dE]
local b,d,e,g,p=E[a],aK[a],bl[a],aJ[a],bm[a]
local h=b.kind
local r,aj
if h<ao then
local v=i-e
if v>0 then
d,e=d-v*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,b.ticks_per_unit
elseif h==ao then
local v=i-e
if v>=b.period then
local J=W(v/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,1
else
local v=i-e
if v>=b.period then
local J=W(v/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-z(0,i-e))end
aj=1
end
aK[a],bl[a],aJ[a],bm[a]=d,e,g,p
bS=bS and r+b.ticks_per_unit<=b.capacity_ticks
end
for dE=P,bS and cD or 0 do
local a=N[dE]
local b=E[a]
local aj=b.kind==bz and 1 or b.ticks_per_unit
aK[a],aJ[a],aG[a]=aK[a]+aj,aJ[a]+aj,true
V=V+1
end
f=cD+1
end
for a=1,au do
if aG[a]then
local b,d,e,g,p=E[a],aK[a],bl[a],aJ[a],bm[a]
local h=b.kind
local T,m,G,A=b.definition,0,nil,nil
if h<ao then
G=d==0 and 0 or e-i+ag(d/b.refill_per_ms)
elseif h==ao then
G=d==0 and 0 or e+ag(d/b.rate)*b.period-i
else
G=d>0 and e+2*b.period-i or p and e+b.period-i or 0
end
if d<16777216 and g==d and not p then
A=S("<c0Bi6I3",T,m,e,d)
else
local aE,B="<c0Bi6I3",""
if d>=1099511627776 then aE,m="<c0Bi6I7",m+2
elseif d>=16777216 then aE,m="<c0Bi6I5",m+1
end
if g~=d and g==0 then m=m+bw
elseif g~=d then m,B=m+bA,S("<I7",g)
end
if p then m,B=m+by,B..S("<I7",p)end
A=S(aE,T,m,e,d)..B
end
local aA=cj("%d",(G<av and G or av)+bT)
local cu=dO("PSETEX",KEYS[a],aA,A)
ai=ai or cu.err
end
end
end
if ar then
if ai then
local A=type(ai)=="table"and ai.err or ai
V=nil
for o,cf in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bo(A,cf,1,true)then V=-o end
end
if not V then error(ai,0)end
end
t[cZ],t[#t+1]=V,B and#B/3 or 0
for f=1,B and#B or 0 do t[#t+1]=B[f]end
return t
end
elseif bu.lends then
local eX={[cU]=bb,[cS]=ao,[cT]=bz}
local aL=3
local eJ,gq,bW=string.rep,string.sub,table.remove
local ar,ab,t,V,B,ai=true,nil,{i,0},0,nil,nil
for M,b in ipairs(aV)do
b.base=eX[b.kind]or b.kind
b.unit=b.base==bz and 1 or b.ticks_per_unit
end
local E,aK,bl,aJ,bm,bJ,aG={},{},{},{},{},{},{}
local cL,bF,bZ={},{},{}
local L={}
for a=1,au do
local b,I=aV[bj and bj[a]or 1],bM[a]
local T,h,d,e,g,p=b.definition,b.base,0,i,0,nil
local l,ac=nil,0
if not I then
ab=ab or{}
ab[#ab+1]=KEYS[a]
if h>=ao then e=i-(i-(bB and bB[a]or 0))%b.period end
elseif bo(I,T,1,true)==1 then
local f=#T+1
local aq,m=#I-f,nil
if aq>=9 then
m,e,d=ak("<Bi6I3",I,f)
g,f=d,f+10
if m>0 then
local C=m%4
local bq,bp=m%16>=bA,m%32>=by
if aq<9+2*C+(bq and 7 or 0)+(bp and 7 or 0)then
f=nil
else
if C>0 then d,f=ak(C==1 and"<I5"or"<I7",I,f-3)end
g=m%16>=bw and 0 or d
if bq then g,f=ak("<I7",I,f)end
if bp then p,f=ak("<I7",I,f)end
end
end
else
f=nil
end
if not f then
ar=false
elseif f<=#I then
local y=(#I+1-f)/dZ
if m>=cR or h==b.kind or y%1~=0 or y>cY then
ar=false
break
end
bZ[a]=gq(I,f)
l={ak(eJ(cz,y),bZ[a])}
l[#l]=nil
for o=2,#l,aL do ac=ac+l[o]end
end
else
ar=false
end
if e>i or b.rate==0 or h>=cb then ar=false end
if not ar then break end
local f=cx+cy*(a-1)
t[f+1],t[f+2],t[f+3]=d,i-e,d-g
if p then
B=B or{}
local H=#B
B[H+1],B[H+2],B[H+3]=a,p,0
end
if h~=b.kind then
local H=#L+1
L[H]=l and#l/aL or 0
for o=1,l and#l or 0 do L[H+o]=l[o]end
end
if l and h==bb then
local aX,aI,o=b.refill_per_ms,b.ticks_per_unit,1
local r=ac*aI
while o<#l and l[o]<=i do
local s=l[o]
if s>e then
d,e=z(r,d-(s-e)*aX),s
end
r,o=r-l[o+1]*aI,o+aL
end
d,e=z(r,d-(i-e)*aX),i
g,bJ[a]=O(g,d-r),d
else
local r,aj
if h<ao then
local v=i-e
if v>0 then
d,e=d-v*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,b.ticks_per_unit
elseif h==ao then
local v=i-e
if v>=b.period then
local J=W(v/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
r,aj=d,1
else
local v=i-e
if v>=b.period then
local J=W(v/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-z(0,i-e))end
aj=1
end
bJ[a]=r
end
while l and l[1]and l[1]<=i do
ac,bZ[a]=ac-l[2],nil
for M=1,aL do bW(l,1)end
end
E[a],aK[a],bl[a],aJ[a],bm[a]=b,d,e,g,p
cL[a],bF[a]=l,ac
end
if ab and ar and(#ab>aO or R("EXISTS",unpack(ab))>0)then ar=false end
if ar then
local f,H=1,N and#N or au
while f<=H do
local a,y,bX,u,bN,ah,ed=N and N[f]or f,1,0,0,0,0,0
if a==ca then
a,y,bX,u,bN,ah,ed=unpack(N,f+1,f+7)
f=f+7
end
local b,l=E[a],cL[a]
local aj,aI=b.unit,b.ticks_per_unit
for bv=1,ah+ed do
local gh,n,cg=N[f+1],N[f+2],bv>ah
f,aG[a]=f+2,true
for o=aL,l and#l or 0,aL do
if l[o]==gh then
local p=l[o-1]
local bL=O(p,n)
local ct=cg and 0 or bL
l[o-1],bF[a],bZ[a]=ct,bF[a]-p+ct,nil
if ct==0 then
for M=1,aL do bW(l,o-2)end
end
if cg then
aK[a],bJ[a]=aK[a]-bL*aj,bJ[a]-bL*aI
end
aJ[a]=aJ[a]+(p-bL)*aj
break
end
end
end
f=f+1
local U=bX==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if bJ[a]+z(1,y)*aI<=U then
local r=bJ[a]+y*aI
local d,n=aK[a]+y*aj,0
if b.share and bN>0 and(l and#l or 0)<aL*cY then
local fB=W(b.capacity_ticks/aI/2)
n=O(bN,ag(W((b.capacity_ticks-r)/aI)/2),fB-bF[a])
end
if n>0 then
l=l or{}
local s,eB=i+b.share,n
if b.base~=bb then s=O(s,bl[a]+b.period)end
if l[1]then s=z(s,l[#l-2])end
for o=#l,aL,-aL do
if l[o]==u then
eB=n+l[o-1]
for M=1,aL do bW(l,o-2)end
end
end
local ch=#l
l[ch+1],l[ch+2],l[ch+3]=s,eB,u
cL[a],bF[a],bZ[a]=l,bF[a]+n,nil
d,r=d+n*aj,r+n*aI
else
n=0
end
aK[a],bJ[a],aJ[a]=d,r,aJ[a]+y*aj
aG[a],V=true,V+1+n
end
end
for a=1,au do
if aG[a]then
local b,d,e,g,p=E[a],aK[a],bl[a],aJ[a],bm[a]
local T,h,m,G,A=b.definition,b.base,0,nil,nil
local l=cL[a]
local et=l and l[1]
if et and h==bb then
local aX,aI=b.refill_per_ms,b.ticks_per_unit
local bs,s,r=d,i,bF[a]*aI
for o=1,#l,aL do
bs=z(r,bs-(l[o]-s)*aX)
s,r=l[o],r-l[o+1]*aI
end
G=s+ag(bs/aX)-i
else
if h<ao then
G=d==0 and 0 or e-i+ag(d/b.refill_per_ms)
elseif h==ao then
G=d==0 and 0 or e+ag(d/b.rate)*b.period-i
else
G=d>0 and e+2*b.period-i or p and e+b.period-i or 0
end
end
if G<=0 then
R("DEL",KEYS[a])
else
if d<16777216 and g==d and not p then
A=S("<c0Bi6I3",T,m,e,d)
else
local aE,B="<c0Bi6I3",""
if d>=1099511627776 then aE,m="<c0Bi6I7",m+2
elseif d>=16777216 then aE,m="<c0Bi6I5",m+1
end
if g~=d and g==0 then m=m+bw
elseif g~=d then m,B=m+bA,S("<I7",g)
end
if p then m,B=m+by,B..S("<I7",p)end
A=S(aE,T,m,e,d)..B
end
local aA=cj("%d",(G<av and G or av)+bT)
if et then
A=A..(bZ[a]or S(eJ(cz,#l/aL),unpack(l)))
end
local cu=dO("PSETEX",KEYS[a],aA,A)
ai=cu.err
if ai then break end
end
end
end
if ai then
local A=type(ai)=="table"and ai.err or ai
V=nil
for o,cf in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bo(A,cf,1,true)then V=-o end
end
if not V then error(ai,0)end
end
t[cZ],t[#t+1]=V,B and#B/3 or 0
for f=1,B and#B or 0 do t[#t+1]=B[f]end
for f=1,#L do t[#t+1]=L[f]end
return t
end
end
local E,d,e,g={},{},{},{}
local Z,ae,q,at,aT={},{},{},{},{}
local cM,ce,cl,dt={},{},{},{}
local aB,aG={},{}
local aY,dq={},{}
local bY,bQ,ep,eW,dj
local cn,co
local function bt(a)
aB[a],d[a],e[a],g[a]=true,-1,i,0
end
local function ft(a,m,f)
local I=bM[a]
if de(m,cR)~=0 then ae[a],f=ak(dS,I,f)end
if de(m,dU)~=0 then cM[a],f=ak(dX,I,f)end
if de(m,dT)~=0 then
ce[a]={ak(cv,I,f)}
f=ce[a][4]
end
cl[a]=string.sub(I,f)
end
local be,bc,bd=d,e,g
local function em(a,fP)
local I,f,d,e,g,p=bM[a],fP+1,nil,nil,nil,nil
local aq,m=#I-f,nil
if aq>=9 then
m,e,d=ak("<Bi6I3",I,f)
g,f=d,f+10
if m>0 then
local C=m%4
local bq,bp=m%16>=bA,m%32>=by
if aq<9+2*C+(bq and 7 or 0)+(bp and 7 or 0)then
f=nil
else
if C>0 then d,f=ak(C==1 and"<I5"or"<I7",I,f-3)end
g=m%16>=bw and 0 or d
if bq then g,f=ak("<I7",I,f)end
if bp then p,f=ak("<I7",I,f)end
end
end
else
f=nil
end
if not f then return false end
be[a],bc[a],bd[a],Z[a]=d,e,g,p
return f>#I or pcall(ft,a,m,f)
end
local ab,as,aD={},nil,{}
for M,b in ipairs(aV)do aD[b.kind]=true end
for a=1,au do
local b,I=aV[bj and bj[a]or 1],bM[a]
E[a]=b
if not I then
ab[#ab+1]=a
else
local fJ=bo(I,b.definition,1,true)==1 and em(a,#b.definition)
if not fJ or cM[a]or e[a]>i then
as=as or{}
as[#as+1]=a
end
end
end
local bx,eV
if N then
bx={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function eV(f)
local aa,ec=N[f],N[f+1]
if aa>0 then return 1 end
if aa==ca then return 1+bx[ca]+2*(N[f+6]+N[f+7])end
local fI=aa==db or aa==cV
return 1+bx[aa]+(fI and cO*ec or aa==cB and ec or 0)
end
end
local aC={}
local function cc(a,h,bf)
d[a]=d[a]+bf
if h.record and bf~=0 then h.record(a,bf)end
end
local function fo(a,b,y)
local h,eR=b.algorithm,y*b.counts_per_unit
h.advance(a,b)
cc(a,h,eR)
g[a]=g[a]+eR
end
local function gm(a,b,eK,ga)
local h,dp=b.algorithm,ga-eK
h.advance(a,b)
local U=(h.most_counts and h.most_counts(b)or av)-d[a]-(Z[a]or 0)
local fN=h.queues and 0 or-g[a]
cc(a,h,z(fN,O(dp*b.counts_per_unit,z(0,U))))
g[a]=O(z(0,g[a]-eK*b.counts_per_unit),d[a])
if dp>0 and at[a]then bY(a,b,dp,ba)end
end
local function fl(a,b,r,dB,f)
local h,eS=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if h.open then h.open(a,b)end
d[a],e[a],Z[a]=0,h.is_aligned and f-(f-(bB and bB[a]or 0))%b.period or f,nil
cc(a,h,ag(r/eS))
g[a]=W(dB/eS)
end
local function fL(a,b,w)
local h=b.algorithm
if not h.has_history or b.period~=w.period then return false end
local function eO(T)return string.match(T,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return eO(b.definition)==eO(w.definition)and h.used(a,b)<=b.capacity_ticks
end
local function aN(h)
h.charge,h.settle,h.begin,h.keep=fo,gm,fl,fL
return h
end
local function ee(b)
b.algorithm=aC[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local bE=aD[cU]or aD[cS]or aD[cT]
if bE then aD[bb],aD[ao],aD[bz]=true,true,true end
if as or aD[bb]then
local ap={is_reservable=true}
local function dr(x,k)
while k~=0 do x,k=k,x%k end
return x
end
function ap.define(b)
local cs=dr(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cs,b.rate/cs
end
function ap.used(a,b)
local d,e,g=d[a],e[a],0
local v=i-e
if v>0 then
d,e=d-v*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local be,bc,bd=d,e,g
function ap.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local v=i-e
if v>0 then
d,e=d-v*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
be[a],bc[a],bd[a]=d,e,g
end
function ap.reset_after(a,b)
local d,e,g,G=d[a],e[a],0,nil
local v=i-e
if v>0 then
d,e=d-v*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
G=d==0 and 0 or e-i+ag(d/b.refill_per_ms)
return G
end
aC[bb]=aN(ap)
end
if as or aD[ao]then
local ay={is_aligned=true,is_reservable=true}
function ay.used(a,b)
local d,e,g=d[a],e[a],0
local v=i-e
if v>=b.period then
local J=W(v/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local be,bc,bd=d,e,g
function ay.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local v=i-e
if v>=b.period then
local J=W(v/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
be[a],bc[a],bd[a]=d,e,g
end
function ay.reset_after(a,b)
local d,e,g,G=d[a],e[a],0,nil
local v=i-e
if v>=b.period then
local J=W(v/b.period)
d,e=d-J*b.rate,e+J*b.period
if d<0 then d=0 end
if g>d then g=d end
end
G=d==0 and 0 or e+ag(d/b.rate)*b.period-i
return G
end
function ay.most_counts(b)
return b.rate==0 and av or O(av,W(av/b.period)*b.rate)
end
aC[ao]=aN(ay)
end
if as or aD[bz]then
local ay={is_aligned=true,has_history=true,counts_units=true}
function ay.define(b)
b.ticks_per_unit=b.period
end
function ay.used(a,b)
local d,e,g,p,r=d[a],e[a],0,Z[a],nil
local v=i-e
if v>=b.period then
local J=W(v/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
r=d*b.period
if p then r=r+p*(b.period-z(0,i-e))end
return r
end
local be,bc,bd=d,e,g
function ay.advance(a,b)
local d,e,g,p=d[a],e[a],g[a],Z[a]
local v=i-e
if v>=b.period then
local J=W(v/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
be[a],bc[a],bd[a],Z[a]=d,e,g,p
end
function ay.reset_after(a,b)
local d,e,g,p,G=d[a],e[a],0,Z[a],nil
local v=i-e
if v>=b.period then
local J=W(v/b.period)
p=J==1 and d>0 and d or nil
d,e,g=0,e+J*b.period,0
end
G=d>0 and e+2*b.period-i or p and e+b.period-i or 0
return G
end
function ay.most_counts(b)
return W(av/b.period)
end
aC[bz]=aN(ay)
end
if as or aD[cb]then
function cn(a,b)
return(string.gsub(KEYS[dt[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function ci(az,X)
local F=redis.pcall(az,X,0,0)
if not F.err then return F end
if not bo(F.err,"WRONGTYPE",1,true)then error(F.err)end
end
function co(X,az,aq)
local F=ci(az,X)
if not F then return false end
if F[1]and#F[1]~=aq then return false end
if F[1]then R("UNLINK",X)end
return true
end
local function dx(a,c,az,aq)
local F=ci(az,c.key)
if not F or F[1]and#F[1]~=aq then return bt(a)end
return F[1]~=nil
end
local function bR(az,X,bC)
for P=1,#bC,aO do
R(az,X,unpack(bC,P,O(P+aO-1,#bC)))
end
end
local function aW(a)
return z(e[a],i)
end
local function dL(dJ)
local aM={}
for X in pairs(dJ)do aM[#aM+1]=X end
table.sort(aM)
return aM
end
local cQ,aZ,da="<i6I7",13,9007199254740992
local aR=32
local bO=aR*aZ
local cX=1024
local am={has_history=true,keeps_list=true}
local function fV(Y,n)
return Y>=da-n and Y-(da-n)or Y+n
end
local function bG(Y,dn)
return Y<dn and Y-dn+da or Y-dn
end
local function eF(c,dD)
local A=c.read[dD]
if not A then
A=R("LINDEX",c.key,dD-1)
c.read[dD]=A
end
return A
end
local function bn(c,ad)
local A,dA=c.tail,(ad-c.pages*aR-1)*aZ
if dA<0 then A,dA=eF(c,ag(ad/aR)),(ad-1)%aR*aZ end
local s,Y=ak(cQ,A,dA+1)
return s-c.shift,Y
end
local function bI(c,ad)
if ad==c.head then return c.base end
local M,Y=bn(c,ad)
return Y
end
local function ey(c,s)
local aw,aH=c.head,c.length
if aw==aH or bn(c,aw+1)>s then return aw end
while aw<aH do
local aS=ag((aw+aH)/2)
if bn(c,aS)<=s then aw=aS else aH=aS-1 end
end
return aw
end
local function ex(c,n)
local aw,aH=c.head,c.length
while aw<aH do
local aS=ag((aw+aH)/2)
if bG(c.sum,bI(c,aS))>=n then aw=aS else aH=aS-1 end
end
return aw
end
local function dK(c,ax)
c.tail,c.length=ax,c.pages*aR+#ax/aZ
c.sum=c.length>c.head and select(2,bn(c,c.length))or c.base
end
local function ea(c,s,Y)
c.tail=c.tail..S(cQ,s+c.shift,Y)
c.length,c.sum=c.length+1,Y
end
function am.open(a,b)
local X=cn(a,b)
local du=q[a]and q[a].key==X and q[a].is_apart
q[a]={
key=X,is_apart=du,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return q[a]
end
function am.load(a,b)
local c,al,ax=am.open(a,b),ce[a],cl[a]or""
if#ax%aZ~=0 then return bt(a)end
if al then
c.pages,c.head,c.shift=al[1],al[2],al[3]
c.is_apart,c.stored=c.pages>0,c.pages
end
if c.is_apart and not dx(a,c,"LRANGE",bO)then
c.is_apart,c.pages,c.head,c.stored=false,0,0,0
ax=S(cQ,e[a]+c.shift,d[a])
end
dK(c,ax)
c.base=bG(c.sum,d[a])
end
local function cF(a,b)
local c,bi=q[a],aW(a)-b.period
if c.over~=bi then c.over,c.last_over=bi,ey(c,bi)end
return c.last_over
end
function am.used(a,b)
local c=q[a]
return bG(c.sum,bI(c,cF(a,b)))
end
function am.advance(a,b)
local c,bi=q[a],cF(a,b)
c.base=bI(c,bi)
c.head=bi
d[a]=bG(c.sum,c.base)
g[a]=O(g[a],d[a])
end
function am.reset_after(a,b)
local c=q[a]
if c.length==c.head then return 0 end
return z(0,bn(c,c.length)+b.period-i)
end
local function fW(a,n)
local c,s=q[a],aW(a)
local Y=fV(c.sum,n)
if c.length==c.head then c.base,Y=0,n end
if c.length>c.head and bn(c,c.length)==s then
c.tail,c.length=string.sub(c.tail,1,-aZ-1),c.length-1
end
ea(c,s,Y)
e[a]=s
end
local function gu(c,ad)
if ad<=c.pages*aR then
local dQ=z(0,ag(ad/aR)-1)
local ax=ad>0 and string.sub(eF(c,dQ+1),1,(ad-dQ*aR)*aZ)or""
c.pages=dQ
return dK(c,ax)
end
dK(c,string.sub(c.tail,1,(ad-c.pages*aR)*aZ))
end
local function gs(a,n)
local c=q[a]
local H,Y=ex(c,n),bG(c.sum,n)
c.cuts[H],c.cuts[H+1]=true,true
local s=H<c.length and Y~=bI(c,H)and bn(c,H+1)
gu(c,H)
if s then ea(c,s,Y)end
end
function am.record(a,bf)
if bf>0 then fW(a,bf)else gs(a,-bf)end
end
function am.note(a,b,U)
local c=q[a]
if ae[a]and ae[a]>i then c.cuts[ey(c,z(e[a],ae[a])-b.period)]=true end
if U>=0 and am.used(a,b)>U then c.cuts[ex(c,U+1)+1]=true end
end
function am.note_each(a,b,n)
local c,ad=q[a],cF(a,b)
local p,U=bI(c,ad),am.used(a,b)+n-b.capacity_ticks
while ad<c.length and bG(bI(c,ad),p)<U do
ad=ad+1
c.cuts[ad]=true
end
aY[a].is_whole=ad==c.length
if not aY[a].is_whole then am.note(a,b,-1)end
end
function am.see(a,b)
local c,bi=q[a],cF(a,b)
aY[a]={
key=c.key,pages=c.pages,head=bi,base=bI(c,bi),length=c.length,shift=c.shift,
tail=c.tail,read=c.read,cuts=c.cuts,
}
end
function am.show(a,t)
local L,y=aY[a],#t+1
local Y,bk=L.base,0
if L.length>L.head then L.cuts[L.head+1],L.cuts[L.length]=true,true end
t[y]=0
for M,ad in ipairs(dL(L.cuts))do
if ad>L.head and ad<=L.length then
local s,cr=bn(L,ad)
t[#t+1],t[#t+2]=s,bG(cr,Y)
Y,bk=cr,bk+1
end
end
t[y]=L.is_whole and bk or-bk
end
function am.divide(a)
local c=q[a]
if c.length==c.head then c.pages,c.head,c.tail,c.shift=0,0,"",0 end
c.dropped=O(W(c.head/aR),c.pages,cX)
c.kept=c.pages-c.dropped
local ds,ax,cK=c.head-c.dropped*aR,c.tail,{}
if c.kept==0 then ds,ax=0,string.sub(ax,ds*aZ+1)end
local dv=nil
while#ax>bO do
if dv==nil then dv=c.is_apart or co(c.key,"LRANGE",bO)end
if not dv then break end
cK[#cK+1],ax=string.sub(ax,1,bO),string.sub(ax,bO+1)
end
c.pushed=cK
local eG=c.kept+#cK
return(eG>0 or c.shift~=0)and S(cv,eG,ds,c.shift)or"",ax
end
function am.write(a,aA)
local c=q[a]
if c.is_apart and c.kept==0 then R("UNLINK",c.key)
elseif c.is_apart and(c.dropped>0 or c.pages<c.stored)then
R("LTRIM",c.key,c.dropped,c.pages-1)
end
bR("RPUSH",c.key,c.pushed)
if c.kept+#c.pushed>0 then R("PEXPIRE",c.key,aA)end
end
function am.rewind(a,an)
q[a].shift,q[a].over=q[a].shift+an,nil
end
aC[cb]=aN(am)
local gl=am.keep
function am.keep(a,b,w)
if not gl(a,b,w)then return false end
dj(a,b,"LRANGE",bO)
return true
end
end
if as or aD[dV]then
local ap={is_reservable=true}
local function dr(x,k)
while k~=0 do x,k=k,x%k end
return x
end
function ap.define(b)
local cs=dr(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/cs,b.rate/cs
end
function ap.used(a,b)
local d,e,g=d[a],e[a],0
local v=i-e
if v>0 then
d,e=d-v*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
return d
end
local be,bc,bd=d,e,g
function ap.advance(a,b)
local d,e,g=d[a],e[a],g[a]
local v=i-e
if v>0 then
d,e=d-v*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
be[a],bc[a],bd[a]=d,e,g
end
function ap.reset_after(a,b)
local d,e,g,G=d[a],e[a],0,nil
local v=i-e
if v>0 then
d,e=d-v*b.refill_per_ms,i
if d<0 then d=0 end
if g>d then g=d end
end
G=d==0 and 0 or e-i+ag(d/b.refill_per_ms)
return G
end
ap.queues=true
aC[dV]=aN(ap)
end
if as or aD[cP]then
function cn(a,b)
return(string.gsub(KEYS[dt[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function ci(az,X)
local F=redis.pcall(az,X,0,0)
if not F.err then return F end
if not bo(F.err,"WRONGTYPE",1,true)then error(F.err)end
end
function co(X,az,aq)
local F=ci(az,X)
if not F then return false end
if F[1]and#F[1]~=aq then return false end
if F[1]then R("UNLINK",X)end
return true
end
local function dx(a,c,az,aq)
local F=ci(az,c.key)
if not F or F[1]and#F[1]~=aq then return bt(a)end
return F[1]~=nil
end
local function bR(az,X,bC)
for P=1,#bC,aO do
R(az,X,unpack(bC,P,O(P+aO-1,#bC)))
end
end
local function aW(a)
return z(e[a],i)
end
local function dL(dJ)
local aM={}
for X in pairs(dJ)do aM[#aM+1]=X end
table.sort(aM)
return aM
end
local cw,cW,cA="<I7B",8,35184372088832
local cX=128
local function bH(C,s)
return cj("%.0f",(C-1)*cA+s)
end
local function dm(n,dP)
local C=1
while n>0 do
if n%2==1 then dP(C)end
n,C=W(n/2),C+1
end
end
local function fp(c,s)
local n,fk=0,z(0,c.floor+c.shift+1)
for C=1,c.sizes do
local aP=R("ZCOUNT",c.key,bH(C,fk),bH(C,s+c.shift))
n=n+2^(C-1)*aP
end
return n
end
local function fZ(c,u)
local aP={}
for C=1,c.sizes do aP[C]=S(cw,u,C)end
local j={units=0,id=u}
for C,A in ipairs(#aP>0 and R("ZMSCORE",c.key,unpack(aP))or{})do
if A then
j.units=j.units+2^(C-1)
j.instant=tonumber(A)-(C-1)*cA-c.shift
end
end
return j.units>0 and j or nil
end
local function gn(c,aU)
for C=1,c.sizes do
local P,H,aQ=bH(C,aU+c.shift),bH(C+1,-1),{}
for M,fQ in ipairs(R("ZRANGEBYSCORE",c.key,"("..P,H))do
aQ[#aQ+1],aQ[#aQ+2]=P,fQ
end
bR("ZADD",c.key,aQ)
end
end
local function fY(c)
local dg,Q,F={},{},R("ZRANGE",c.key,0,-1,"WITHSCORES")
for f=1,#F,2 do
local u,C=ak(cw,F[f])
local j=dg[u]or{units=0,id=u}
j.instant=tonumber(F[f+1])-(C-1)*cA-c.shift
j.units=j.units+2^(C-1)
if not dg[u]then dg[u],Q[#Q+1]=j,j end
end
return Q
end
local function gw(c,gc,cd)
local aP,aQ={},{}
for u,j in pairs(gc)do
dm(j.units,function(C)aP[#aP+1]=S(cw,u,C)end)
end
for M,j in pairs(cd)do
dm(j.units,function(C)
aQ[#aQ+1],aQ[#aQ+2]=bH(C,j.instant+c.shift),S(cw,j.id,C)
end)
end
bR("ZREM",c.key,aP)
bR("ZADD",c.key,aQ)
return#aQ/2
end
local function fx(c,cd)
local ah=cX+cd
for C=1,c.sizes do
local P,H=bH(C,0),bH(C,z(-1,c.floor+c.shift))
local aP=ah>0 and R("ZRANGEBYSCORE",c.key,P,H,"LIMIT",0,ah)or{}
bR("ZREM",c.key,aP)
ah=ah-#aP
end
end
local dW,eZ="<i6I4I7",17
local fc=-cA
local fa=16
local K={holds_leases=true,keeps_list=true}
function K.open(a,b)
local X=cn(a,b)
local du=q[a]and q[a].key==X and q[a].is_apart
q[a]={
key=X,is_apart=du,shift=0,cuts={},kept={},sizes=0,floor=fc,
found={},removed={},added={},
}
return q[a]
end
function K.load(a,b)
local c,al,A=K.open(a,b),ce[a],cl[a]or""
if#A%eZ~=0 then return bt(a)end
local f=1
while f<=#A do
local j={}
j.instant,j.units,j.id,f=ak(dW,A,f)
c.kept[#c.kept+1]=j
end
if not al then return end
c.sizes,c.floor,c.shift=al[1],al[2],al[3]
c.is_apart,c.kept=true,nil
if dx(a,c,"ZRANGE",cW)or aB[a]then return end
K.open(a,b).kept[1]={instant=e[a]+b.period,units=d[a],id=ba}
end
local function ek(c,s)
if s<=c.floor then return 0 end
if not c.kept then return fp(c,s)end
local n=0
for M,j in ipairs(c.kept)do
if j.instant>s then break end
if j.instant>c.floor then n=n+j.units end
end
return n
end
local function dk(Q,c,s)
local n=0
for M,j in pairs(Q)do
if j.instant>c.floor and j.instant<=s then n=n+j.units end
end
return n
end
local function el(c,s)
return ek(c,s)-dk(c.removed,c,s)+dk(c.added,c,s)
end
local function fq(a)
local c,s=q[a],aW(a)
if s<=c.floor then return 0 end
if c.over~=s then c.over,c.units_over=s,el(c,s)end
return c.units_over
end
function K.used(a)
return d[a]-fq(a)
end
function K.advance(a)
d[a]=K.used(a)
q[a].floor=z(q[a].floor,aW(a))
end
local function fz(c,u)
for M,j in ipairs(c.kept)do
if j.id==u then return j end
end
end
local function fA(c,u)
if c.found[u]==nil then
c.found[u]=(c.kept and fz or fZ)(c,u)or false
end
return c.found[u]or nil
end
local function er(c,u)
local j=c.added[u]or not c.removed[u]and fA(c,u)or nil
return j and j.instant>c.floor and j or nil
end
local function bW(c,u)
local j=er(c,u)
if not j then return 0 end
if c.added[u]then c.added[u]=nil else c.removed[u]=j end
return j.units
end
local function cc(a,u,n,s)
local c=q[a]
local p=bW(c,u)
c.added[u]={instant=s,units=p+n,id=u}
end
function K.charge(a,b,n,u)
K.advance(a)
e[a]=aW(a)
cc(a,u,n,e[a]+b.period)
d[a]=d[a]+n
end
K.settle=K.advance
function K.reset_after(a,b)
return K.used(a)==0 and 0 or e[a]+b.period-i
end
function K.begin(a,b,r,M,f)
K.open(a,b)
d[a],e[a],Z[a],g[a]=0,f,nil,0
if r>0 then K.charge(a,b,r,ba)end
end
local function ef(br,an,aU)
local Q={}
for o,j in ipairs(br)do
Q[o]={instant=O(j.instant-an,aU),units=j.units,id=j.id}
end
return Q
end
function K.keep(a,b,w)
dj(a,b,"ZRANGE",cW)
K.advance(a)
local c,aU=q[a],aW(a)+b.period
if c.kept then c.kept=ef(c.kept,0,aU)
elseif b.period<w.period and not aB[a]then gn(c,aU)
end
e[a]=aW(a)
return true
end
local function eE(Q,an)
local eD={}
for u,j in pairs(Q)do eD[u]={instant=j.instant-an,units=j.units,id=u}end
return eD
end
function K.rewind(a,an)
local c=q[a]
c.floor,c.over,c.found=c.floor-an,nil,{}
c.added,c.removed=eE(c.added,an),eE(c.removed,an)
if c.kept then c.kept=ef(c.kept,an,math.huge)else c.shift=c.shift+an end
end
local function dG(a,u,y)
K.advance(a)
local c=q[a]
local j=er(c,u)
if not j or j.units~=y then return false end
d[a]=d[a]-bW(c,u)
return true
end
local function eI(a,b,u,y)
local cm=dG(a,u,y)
if cm then K.charge(a,b,y,u)end
return cm
end
local function eo(a,dP)
for M,k in ipairs(at[a]or{})do
if E[k].algorithm==K then dP(k,E[k])end
end
end
function K.release(a,M,u,y)
eo(a,function(k)dG(k,u,y)end)
dG(a,u,y)
end
function K.renew(a,b,u,y)
if not eI(a,b,u,y)then return end
eo(a,function(k,ev)
if not eI(k,ev,u,y)then K.charge(k,ev,y,u)end
end)
end
local function ch(a,b,n)
local c,aw,aH=q[a],aW(a),e[a]+b.period
for M,j in ipairs(c.kept or{})do
local cm=j.instant>c.floor and not c.removed[j.id]
if cm then n=n-j.units end
if cm and n<=0 then return j.instant end
end
if c.kept then return aH end
while aw+1<aH do
local aS=W((aw+aH)/2)
if el(c,aS)>=n then aH=aS else aw=aS end
end
return aH
end
function K.note(a,b,U)
local c=q[a]
if ae[a]and ae[a]>i then c.cuts[z(e[a],ae[a])]=true end
if U>=0 and K.used(a)>U then c.cuts[ch(a,b,d[a]-U)]=true end
end
function K.note_each(a)
aY[a].is_whole=true
end
function K.see(a,b)
local c=q[a]
aY[a]={
key=c.key,kept=c.kept,sizes=c.sizes,shift=c.shift,floor=z(c.floor,aW(a)),
used=K.used(a),latest=e[a]+b.period,cuts=c.cuts,found=c.found,
}
end
local function fS(L)
local eN,Q=L.found,{}
if L.is_whole then eN=L.kept or fY(L)end
for M,j in pairs(eN)do
if j and j.instant>L.floor then Q[#Q+1]=j end
end
table.sort(Q,function(x,k)return x.instant<k.instant end)
return Q
end
function K.show(a,t)
local L,y,bk,Y,cq=aY[a],#t+1,0,0,1
local dy=fS(L)
local function eM(s,n,u)
t[#t+1],t[#t+2],t[#t+3]=s,n,u
bk=bk+1
end
t[y],L.cuts[L.latest]=0,true
for M,bh in ipairs(dL(L.cuts))do
if bh>L.floor and bh<=L.latest then
local cr=bh==L.latest and L.used or ek(L,bh)
local D=cr-Y
while dy[cq]and dy[cq].instant<=bh do
local j=dy[cq]
eM(j.instant,j.units,j.id)
D,cq=D-j.units,cq+1
end
if D>0 then eM(bh,D,-1-bk)end
Y=cr
end
end
t[y]=bk
end
local function fD(c)
local Q={}
for M,j in ipairs(c.kept)do
if j.instant>c.floor and not c.removed[j.id]then Q[#Q+1]=j end
end
for M,j in pairs(c.added)do Q[#Q+1]=j end
return Q
end
function K.divide(a)
local c,F=q[a],{}
if not c.kept and d[a]==dk(c.added,c,math.huge)then c.kept,c.shift={},0 end
if c.kept then
local Q=fD(c)
if#Q<=fa or not(c.is_apart or co(c.key,"ZRANGE",cW))then
for o,j in ipairs(Q)do F[o]=S(dW,j.instant,j.units,j.id)end
return"",table.concat(F)
end
c.moved=Q
end
for M,j in pairs(c.moved or c.added)do
dm(j.units,function(C)c.sizes=z(c.sizes,C)end)
end
return S(cv,c.sizes,c.floor,c.shift),""
end
function K.write(a,aA)
local c=q[a]
if c.kept and c.is_apart then R("UNLINK",c.key)end
if c.kept and not c.moved then return end
local cd=gw(c,c.removed,c.moved or c.added)
if not c.kept then fx(c,cd)end
R("PEXPIRE",c.key,aA)
end
aC[cP]=K
end
if as or bE then
local function cJ(a)
return z(e[a],i)
end
local function en(a)
local l,s=q[a].shares,cJ(a)
if not l[1]or l[1].instant>s then return end
local ah={}
for o=1,#l do
if l[o].instant>s then ah[#ah+1]=l[o]end
end
q[a]={shares=ah}
end
local function cN(a,s)
local l,n=q[a].shares,0
for o=1,#l do
if l[o].instant>s then n=n+l[o].units end
end
return n
end
local function bh(a,u,U)
local l,p,ah=q[a].shares,0,{}
for o=1,#l do
local x=l[o]
if x.id==u then
p=x.units
x={instant=x.instant,units=O(p,U),id=u}
end
if x.units>0 then ah[#ah+1]=x end
end
q[a]={shares=ah}
return p
end
local function bE(h)
function h.open(a)
q[a]={shares={}}
end
function h.load(a)
local A,l,f=cl[a]or"",{},1
if#A%dZ~=0 then return bt(a)end
while f<=#A do
local x={}
x.instant,x.units,x.id,f=ak(cz,A,f)
l[#l+1]=x
end
q[a]={shares=l}
end
function h.divide(a)
local l,F=q[a].shares,{}
for o=1,#l do
F[o]=S(cz,l[o].instant,l[o].units,l[o].id)
end
return"",table.concat(F)
end
function h.see(a)
aY[a]=q[a].shares
end
function h.show(a,t)
t[#t+1]=#aY[a]
for M,x in ipairs(aY[a])do
local f=#t
t[f+1],t[f+2],t[f+3]=x.instant,x.units,x.id
end
end
function h.rewind(a,an)
local l={}
for o,x in ipairs(q[a].shares)do
l[o]={instant=x.instant-an,units=x.units,id=x.id}
end
q[a]={shares=l}
end
function h.forget(a,b)
if cN(a,cJ(a))==0 then return false end
h.advance(a,b)
d[a],Z[a],g[a]=cN(a,0)*b.counts_per_unit,nil,0
return true
end
local function fU(a,b,n)
if n>0 then g[a]=g[a]+n*b.counts_per_unit end
end
function h.report(a,b,bv,ah)
h.advance(a,b)
for f=1,#bv,2 do
local u,n,cg=bv[f],bv[f+1],f>2*ah
local p=bh(a,u,cg and 0 or n)
local bL=O(p,n)
if cg then d[a]=d[a]-bL*b.counts_per_unit end
fU(a,b,p-bL)
end
end
local function fO(a,b)
if not b.share or#q[a].shares>=cY then return 0 end
local ah=W((b.capacity_ticks-h.used(a,b))/b.ticks_per_unit)
return O(ag(ah/2),W(b.capacity_ticks/b.ticks_per_unit/2)-cN(a,0))
end
function h.lend(a,b,u,bN)
h.advance(a,b)
local n=O(bN,fO(a,b))
if n<=0 then return 0 end
local s,H=h.lent_until(a,b),q[a].shares[#q[a].shares]
if H then s=z(s,H.instant)end
local p,l=bh(a,u,0),q[a].shares
l[#l+1]={instant=s,units=p+n,id=u}
d[a]=d[a]+n*b.counts_per_unit
return n
end
return aN(h)
end
local ap={base=aC[bb],is_reservable=true,define=aC[bb].define}
local function df(a,b,s)
local d,e,l=d[a],e[a],q[a].shares
local ac=l[1]and cN(a,0)*b.ticks_per_unit or 0
local aX=b.refill_per_ms
for o=1,#l do
local x=l[o]
if x.instant>z(s,e)then break end
if x.instant>e then
d,e=z(ac,d-(x.instant-e)*aX),x.instant
end
ac=ac-x.units*b.ticks_per_unit
end
if s>e then d,e=z(ac,d-(s-e)*aX),s end
return d,e,ac
end
function ap.used(a,b)
return(df(a,b,i))
end
function ap.advance(a,b)
local ac
d[a],e[a],ac=df(a,b,i)
g[a]=O(g[a],d[a]-ac)
en(a)
end
function ap.reset_after(a,b)
local bs,e,ac=df(a,b,i)
if bs<=0 then return 0 end
for M,x in ipairs(q[a].shares)do
if x.instant>e then
bs=z(ac,bs-(x.instant-e)*b.refill_per_ms)
e,ac=x.instant,ac-x.units*b.ticks_per_unit
end
end
return e+ag(bs/b.refill_per_ms)-i
end
function ap.lent_until(a,b)
return cJ(a)+b.share
end
local function ez(ay)
local h=setmetatable({base=ay},{__index=ay})
function h.advance(a,b)
ay.advance(a,b)
en(a)
end
function h.lent_until(a,b)
return O(cJ(a)+b.share,e[a]+b.period)
end
return h
end
aC[cU]=bE(ap)
aC[cS]=bE(ez(aC[ao]))
aC[cT]=bE(ez(aC[bz]))
end
for M,b in ipairs(aV)do ee(b)end
local ew=as or aD[cb]or aD[cP]or bE
for P=1,#ab,aO do
local H,aM=O(P+aO-1,#ab),{}
for o=P,H do aM[#aM+1]=KEYS[ab[o]]end
if R("EXISTS",unpack(aM))>0 then
for o=P,H do
if R("EXISTS",KEYS[ab[o]])==1 then bt(ab[o])end
end
end
end
for M,a in ipairs(ab)do
if not aB[a]then E[a].algorithm.begin(a,E[a],0,0,i)end
end
if as then
local fb=7
local function dF(T)
local dR={}
for gv in string.gmatch(T or"","[^,\\n]+")do dR[#dR+1]=tonumber(gv,36)or false end
local h,aN,cI,dh,cC=unpack(dR)
local bP=aC[h]
if not(bP and aN and cI)then return nil end
dh=dh or aN
local b=eH(T,h,aN,cI,1,0,0,0)
if bP.define then bP.define(b)end
b.capacity_ticks=dh*b.ticks_per_unit
if bP.is_reservable and aN>0 then
local U=(bP.most_counts and bP.most_counts(b)or av)-b.capacity_ticks
b.debt_ticks=cC and O(cC*b.ticks_per_unit,U)or U
end
ee(b)
return b
end
local cG=au
local function dz(a)
cG=cG+1
dt[cG]=a
return cG
end
local function fv(a,A)
at[a]={}
for o,gp in ipairs(cmsgpack.unpack(A))do
local k,T,al=dz(a),nil,nil
T,d[k],e[k],g[k],Z[k],aT[k],al,cl[k]=
unpack(gp)
if Z[k]==0 then Z[k]=nil end
local b=assert(dF(T))
E[k],at[a][o]=b,k
if al~=""then ce[k]={ak(cv,al)}end
if b.algorithm.load then b.algorithm.load(k,b)end
assert(not aB[k])
end
end
function ep(a)
local Q,aU={},i
for o,k in ipairs(at[a])do
local b,al,ck=E[k],"",""
aU=z(aU,aT[k])
if b.algorithm.divide then al,ck=b.algorithm.divide(k)end
Q[o]={
b.definition,d[k],e[k],g[k],Z[k]or 0,aT[k],al,ck,
}
end
return cmsgpack.pack(Q),aU-i
end
function eW(a,aA)
for M,k in ipairs(at[a])do
local h=E[k].algorithm
if h.write then h.write(k,aA)end
end
end
local function fu(a)
local w=dF(string.match(bM[a],"^[^\\n]*\\n"))
if not w or not em(a,#w.definition)then return nil end
if cM[a]and not pcall(fv,a,cM[a])then return nil end
return w
end
local function di(r,w,b)
if w.ticks_per_unit==b.ticks_per_unit then return r end
local n=W(r/w.ticks_per_unit)
local gf=(r-n*w.ticks_per_unit)/w.ticks_per_unit
return n*b.ticks_per_unit+O(b.ticks_per_unit,ag(gf*b.ticks_per_unit))
end
local function eC(r,w,b)
return b.capacity_ticks+O(di(z(0,r-w.capacity_ticks),w,b),b.debt_ticks)
end
local function gi(x,k)
return(x.base or x)==(k.base or k)
end
local function fR(a,b,w)
local cH,cp=w.algorithm,b.algorithm
if gi(cH,cp)and cp.keep(a,b,w)then
if cH.base or cp.base then q[a]=cp.base and{shares={}}or nil end
return
end
cH.advance(a,w)
local r=cH.used(a,w)
local br=O(di(r,w,b),eC(r,w,b))
local dB=O(br,di(g[a]*w.ticks_per_unit/w.counts_per_unit,w,b))
q[a]=nil
cp.begin(a,b,br,dB,z(i,e[a]))
end
local function eA(b)
if b.rate==0 then return 2*b.period end
return b.period*z(2,ag(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function ei(x,k)
d[k],e[k],g[k],Z[k]=d[x],e[x],g[x],Z[x]
end
local function ej(x,bg)
for eq,I in pairs(x)do
if bg[eq]==nil then bg[eq]=I end
end
return bg
end
function dj(a,b,fX,aq)
local c=q[a]
local bg=ej(c,{key=cn(a,b),is_beside=false,cuts={},found={},removed={},added={}})
q[a]=bg
if not bg.is_apart or bg.key==c.key then return end
if not co(bg.key,fX,aq)then return bt(a)end
R(c.is_beside and"COPY"or"RENAME",c.key,bg.key)
end
local function eh(a,w,b)
local k=dz(a)
E[k],q[k]=w,q[a]
if q[a]then
q[a].is_beside=true
q[a]=ej(q[a],{})
end
ei(a,k)
aT[k]=O(i+z(w.algorithm.reset_after(k,w),eA(w),eA(b)),av)
return k
end
local function dH(a,b)
if e[a]-i<b.period then return 0 end
local aa=b.algorithm.is_aligned and b.period or 1
local an=W((e[a]-i)/aa)*aa
e[a],ae[a]=e[a]-an,ae[a]and z(0,ae[a]-an)
if q[a]then b.algorithm.rewind(a,an)end
return an
end
local function dl(D)
local br={}
for M,k in ipairs(D or{})do
aT[k]=aT[k]-dH(k,E[k])
if aT[k]>i then br[#br+1]=k end
end
return br
end
local dY="1,0,eiz5s00,gjdgxs\\n"
local function dC(D)
for o,k in ipairs(D or{})do
if E[k].definition==dY then return k,o end
end
end
local function fT(a)
local af=dz(a)
E[af]=dF(dY)
d[af],e[af],Z[af],g[af],aT[af]=0,i,0,0,0
return af
end
local function fj(a,w,D)
local af,o=dC(D)
if af then table.remove(D,o)else af=fT(a)end
local r,bU=w.algorithm.used(a,w),w.ticks_per_unit
d[af]=z(d[af],ag(r/bU))
Z[af]=z(Z[af]or 0,ag((r-w.capacity_ticks)/bU))
aT[af]=z(aT[af],O(i+w.algorithm.reset_after(a,w),av))
D[#D+1]=af
end
local function fr(a,b)
local af=dC(at[a])
if not af then return end
local h,bU=b.algorithm,b.ticks_per_unit
local cC=O((Z[af]or 0)*bU,b.debt_ticks)
local r=O(d[af]*bU,b.capacity_ticks+cC)
local eL=r-h.used(a,b)
if eL<=0 then return end
if h.holds_leases then return h.charge(a,b,eL,i)end
h.advance(a,b)
h.begin(a,b,r,g[a]*bU/b.counts_per_unit,z(i,e[a]))
end
local function gt(a,b,w,D)
local M,af=dC(D)
if w.algorithm.reset_after(a,w)>0 then
local fG=#D-(af and 1 or 0)>=fb
if fG then fj(a,w,D)
else D[#D+1]=dl({eh(a,w,b)})[1]end
end
at[a]=#D>0 and D or nil
fR(a,b,w)
fr(a,b)
end
local function gr(a,b,w,D,fM)
dH(a,w)
local k=table.remove(D,fM)
D[#D+1]=eh(a,w,b)
at[a]=D
ei(k,a)
q[a]=q[k]
end
local function fn(a,b,w)
local D=dl(at[a])
for o,k in ipairs(D)do
if E[k].definition==b.definition then return gr(a,b,w,D,o)end
end
gt(a,b,w,D)
end
function bQ(a,b)
local fF=e[a]>i and d[a]==0 and(Z[a]or 0)==0 and(ae[a]or 0)<=i
if fF then b.algorithm.begin(a,b,0,0,i)end
end
local function gb(a,b)
local w=fu(a)
if not w then return bt(a)end
local eu=w.definition==b.definition
if eu and e[a]<=i then return end
if w.algorithm.load then w.algorithm.load(a,w)end
if aB[a]then return end
if not eu then fn(a,b,w)end
dH(a,b)
bQ(a,b)
aG[a]=true
end
function bY(a,b,y,j)
local D=dl(at[a])
at[a]=#D>0 and D or nil
local r=b.algorithm.used(a,b)
for M,k in ipairs(D)do
local bK,n=E[k],y
if j==ba or not bK.algorithm.holds_leases then
local gg=eC(r,b,bK)-bK.algorithm.used(k,bK)
n=O(y,W(gg/bK.ticks_per_unit))
end
if n>0 then bK.algorithm.charge(k,bK,n,j~=ba and j or i)end
end
end
for M,a in ipairs(as)do gb(a,E[a])end
end
for a=1,ew and au or 0 do
local b=E[a]
if b.algorithm.load and not aB[a]then
if not q[a]then b.algorithm.load(a,b)end
if not aB[a]then b.algorithm.see(a,b)end
end
end
local t={i,0}
for a=1,au do
local f=cx+cy*(a-1)
local cE,dw=d[a],g[a]
if E[a].algorithm.note and not aB[a]then
cE=E[a].algorithm.used(a,E[a])
dw=O(dw,cE)
end
t[f+1],t[f+2],t[f+3]=cE,i-e[a],cE-dw
end
local dd=#t+1
t[dd]=0
if next(Z)or next(ae)then
for a=1,au do
if Z[a]or ae[a]then
local f=#t
t[dd]=t[dd]+1
t[f+1],t[f+2],t[f+3]=a,Z[a]or 0,ae[a]or 0
end
end
end
local V=0
local function es(a,b,r,U)
local fE=ae[a]and ae[a]>i
return not fE and b.algorithm.used(a,b)+r<=U
end
local function bS(a,b,r,U)
if as then bQ(a,b)end
if aB[a]then return false end
if es(a,b,r,U)then return true end
local h=b.algorithm
if h.note then h.note(a,b,U-r)end
return false
end
local function dM(a,b,y,j)
b.algorithm.charge(a,b,y,j)
if at[a]then bY(a,b,y,j)end
aG[a]=true
end
local function eQ(a)
local b=E[a]
if not bS(a,b,b.ticks_per_unit,b.capacity_ticks)then return end
dM(a,b,1,ba)
V=V+1
end
if not N then
for a=1,au do eQ(a)end
else
local function eb(f,aF)
if aF==1 then return N[f],1,0,0,ba end
return unpack(N,f,f+aF-1)
end
local function dN(P,H,aF,fH)
local dc=not fH
for f=P,H,aF do
local a,y,bX,fC=eb(f,aF)
local b=E[a]
local U=bX==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
dc=bS(a,b,z(1,y)*b.ticks_per_unit+fC,U)and dc
end
for f=P,dc and H or 0,aF do
local a,y,M,M,j=eb(f,aF)
if y>0 then dM(a,E[a],y,j)end
V=V+1
end
end
local function bD(a,b,h,an)
h.advance(a,b)
local ct=h.is_aligned or h.holds_leases and d[a]>0
if not ct then e[a]=z(e[a],i)end
ae[a]=z(e[a],i)+an
end
local function eP(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function ge(a,b,h)
if ae[a]and ae[a]<=i then ae[a]=nil end
local ac={}
for M,k in ipairs(at[a]or{})do
if aT[k]>i and eP(k,E[k])then ac[#ac+1]=k
else dq[#dq+1]=q[k]
end
end
at[a]=#ac>0 and ac or nil
if not eP(a,b)then h.begin(a,b,0,0,i)end
end
local function bf(aa,a,P,dI)
local b=E[a]
local h=b.algorithm
if aB[a]then return end
if as then bQ(a,b)end
if aa==fg then h.settle(a,b,P,dI)
elseif aa==ff then ge(a,b,h)
elseif aa==eY then bD(a,b,h,P)
elseif aa==fi then ae[a]=nil
elseif aa==fd and h.holds_leases then h.release(a,b,P,dI)
elseif aa==fe and h.holds_leases then h.renew(a,b,P,dI)
end
if as then bQ(a,b)end
aG[a]=true
end
local function fw(f,aF)
local a,y,bX,u,bN,ah=unpack(N,f+1,f+6)
local b,bv=E[a],{unpack(N,f+1+bx[ca],f+aF-1)}
local h=b.algorithm
if aB[a]then return end
if as then bQ(a,b)end
if#bv>0 then
local gd=h.report or h.advance
gd(a,b,bv,ah)
aG[a]=true
end
local U=bX==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not es(a,b,z(1,y)*b.ticks_per_unit,U)then return end
if y>0 then dM(a,b,y,ba)end
local n=h.lend and h.lend(a,b,u,bN)or 0
if n>0 and at[a]then bY(a,b,n,ba)end
aG[a],V=true,V+1+n
end
local function go(a,n)
local h=E[a].algorithm
if h.note_each and not aB[a]then h.note_each(a,E[a],n)end
end
local f,H=1,#N
while f<=H do
local aa,aF=N[f],eV(f)
if aa>0 then eQ(aa)
elseif aa==db then dN(f+1+bx[db],f+aF-1,cO)
elseif aa==cB then dN(f+1+bx[cB],f+aF-1,1)
elseif aa==cV then dN(f+1+bx[cV],f+aF-1,cO,true)
elseif aa==ca then fw(f,aF)
elseif aa==fh then go(N[f+1],N[f+2])
else bf(aa,N[f+1],N[f+2],N[f+3])
end
f=f+aF
end
end
for a=1,ew and au or 0 do
local h=E[a].algorithm
if h.show and not aB[a]then h.show(a,t)end
end
local function fy(a,D)
local T,d,e,g=E[a].definition,d[a],e[a],g[a]
local p,bD,m,bV,A,al,ck=Z[a],ae[a]or 0,0,"",nil,"",""
local h=E[a].algorithm
if h.divide then al,ck=h.divide(a)end
if bD~=0 then m,bV=cR,S(dS,bD)end
if D~=""then m,bV=m+dU,bV..S(dX,#D,D)end
if al~=""then m,bV=m+dT,bV..al end
if d<16777216 and g==d and not p then
A=S("<c0Bi6I3",T,m,e,d)
else
local aE,B="<c0Bi6I3",""
if d>=1099511627776 then aE,m="<c0Bi6I7",m+2
elseif d>=16777216 then aE,m="<c0Bi6I5",m+1
end
if g~=d and g==0 then m=m+bw
elseif g~=d then m,B=m+bA,S("<I7",g)
end
if p then m,B=m+by,B..S("<I7",p)end
A=S(aE,T,m,e,d)..B
end
return A..bV..ck
end
local function gj(a)
local b,X,D,eU=E[a],KEYS[a],"",0
local p,bD=Z[a]or 0,ae[a]or 0
local G=b.algorithm.reset_after(a,b)
if at[a]then D,eU=ep(a)end
G=z(G,bD-i,eU)
if not(G>0 or bT>0 and(d[a]>0 or p>0 or bD>0))then
if q[a]and q[a].is_apart then R("UNLINK",q[a].key)end
return R("DEL",X)
end
local aA=cj("%d",(G<av and G or av)+bT)
R("PSETEX",X,aA,fy(a,D))
if b.algorithm.write then b.algorithm.write(a,aA)end
if at[a]then eW(a,aA)end
end
local function gk()
for a=1,au do
if aG[a]and not aB[a]then gj(a)end
end
for M,c in ipairs(dq)do
if c.is_apart then R("UNLINK",c.key)end
end
end
local fK,ai=pcall(gk)
if not fK then
local A=type(ai)=="table"and ai.err or ai
V=nil
for o,cf in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if bo(A,cf,1,true)then V=-o end
end
if not V then error(ai,0)end
end
t[cZ]=V
return t
`,
} as const;
