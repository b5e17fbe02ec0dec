/** The Lua files beside this one, as `npm run embed` puts them together, with short names for local variables. Not for editing. */
export const SCRIPT = {
  sha1: "77dea1b97e2d4714a57e6bee11b4c720a60e669c",
  source: `local D,I,aA,Z,cs=struct.pack,struct.unpack,string.format,string.find,string.byte
local J,aE,H,x,L,S=redis.call,redis.pcall,math.min,math.max,math.floor,math.ceil
local U=4503599627370496
local ah=4000
local av=0
local as,N,aG,aN,bu,aV,bg,be,bf,aH,bU,bT,bQ,bW,bS,bz,bx,by,aI,bc,bh,bV,aU,aY,ba,aZ,bA,cr,cq,co,cp,aM=1,3,4,5,2,6,7,8,9,-1,-2,-3,-4,-5,-6,-7,-12,-13,-11,-8,-9,-10,5,2,2,4,4,8,6,2,3,2
local aC=ARGV[4]
local h,ai=tonumber(ARGV[aC and 9 or 3]),3600000
if not h then
local a=J("TIME")
h,ai=a[1]*1000+L(a[2]/1000),0
end
local ao,aw,ar,bd,bt,bs=4,8,16,32,64,128
local br="<I7"
local bw="<I4c0"
local aT="<I4i7i6"
local bb,bB,M,aX="<i6I4I7",17,3,256
local bj=bit.band
local function bo(
z,d,al,v,e,refill_per_ms,capacity_ticks,debt_ticks,k,aK
)
return{
numbers=k,bytes=#z+(d<N and 16 or 10),
definition=z,kind=d,rate=al,period=v,ticks_per_unit=e,
refill_per_ms=refill_per_ms,capacity_ticks=capacity_ticks,debt_ticks=debt_ticks,share=aK,
}
end
local V=#KEYS
local af,am,an,ak,ab,C
if not aC then
af=cjson.decode(ARGV[1])
for k=1,#af do af[k]=bo(unpack(af[k]))end
if ARGV[2]and ARGV[2]~=""then am=cjson.decode(ARGV[2])end
if am then ak,ab,C=am.owners,am.anchors,am.steps end
an=J("MGET",unpack(KEYS,1,H(V,ah)))
for A=ah+1,V,ah do
local a=J("MGET",unpack(KEYS,A,H(A+ah-1,V)))
for k=1,#a do an[A+k-1]=a[k]end
end
end
if aC or am and am.leases then
local au,aW=17,16
local X=10
local ac,u,B,F,f=string.sub,true,0,nil,1
local z,Q,R,v,ap,w,c,e,A,p,r,q,aB
local y,O,W,o,K
local g,s,d,j,aa,E
if aC then
z,Q,v,ap,p,r,q,aB=unpack(ARGV)
R,v,ap,p,r=#z+10,v+0,ap+0,p+0,r+0
q,aB=(q or 1)+0,(aB or 0)+0
local a=aE("GET",KEYS[1])
u=type(a)~="table"
an={u and a}
else
g,s,d,j,aa,E={h,0},{},{},{},{},{}
end
for a=1,u and V or 0 do
if not aC then
local b=af[ak and ak[a]or 1]
z,Q,R,v,ap=b.definition,b.numbers,b.bytes,b.period,b.capacity_ticks
p,q=C[f],C[f+3]
if p==aH then aB,r,f=C[f+5],C[f+6],f+2+aU
else r,f=C[f+2],f+4
end
end
w,c,e,A=an[a]or"",0,h,1
if w~=""then
local G,t,i=#w-R,nil,nil
u=G>0 and G<=aW*au and G%au==0
if u then
t,i,e,c,A=I(Q,w)
u=t==z and i==ao and e<=h
local n,m=I("<i6I4",w,A)
while n and n<=h do
c,A,n=c-m,A+au,nil
if A<#w then n,m=I("<i6I4",w,A)end
end
end
end
if u then
local G,l,b,P=ac(w,A),e+v,0,nil
y,O,W,o,K=nil,0,-2,nil,nil
if p==aH then
local i=ap-x(1,q)-aB
if c<=i then
B=B+1
if q>0 then
b,P=q,c+q
u=#G<aW*au and P<16777216 and not Z(G,D("<I7",r),1,true)
end
elseif i>=0 then
local T,k=1,c-i
while T<#G do
local n,m=I("<i6I4",G,T)
if k<=0 and n>y then break end
y,O,k,T=n,O+m,k-m,T+au
end
end
else
P=c
local T=Z(G,D("<I7",r),1,true)
if T then
T=T-X
u=T%au==1
if u then y,O,W=I("<i6I4I7",G,T)end
if u and O==q then
G=ac(G,1,T-1)..ac(G,T+au)
if p==bz then b=q else P=c-q end
end
end
end
if P then
local m=nil
if b>0 then
m=v
o=D("<c0Bi6I3c0i6I4I7",z,ao,h,P,G,h+v,b,r)
elseif P==0 then
o=""
else
o=D("<c0Bi6I3c0",z,ao,e,P,G)
if ai>0 then m=l-h end
end
if m then
K=aA("%d",(m<U and m or U)+ai)
end
end
end
if not u then break end
if not aC then
local t=#g
g[t+1],g[t+2],j[a],aa[a]=c,h-e,o,K
if c>0 then
t=#s
s[t+1],s[t+2],s[t+3],s[t+4]=a,c,0,0
end
t=#d
d[t+1]=(y and 1 or 0)+(c>O and 1 or 0)
if y then d[t+2],d[t+3],d[t+4]=y,O,W end
if c>O then
local k=#d
d[k+1],d[k+2],d[k+3]=e+v,c-O,y and-3 or-2
end
if not an[a]then E[#E+1]=KEYS[a]end
end
end
if E and E[1]and u then
u=#E<=ah and J("EXISTS",unpack(E))==0
end
if u then
for a=1,V do
if not aC then o,K=j[a],aa[a]end
if o and not F then
local n
if o==""then n=aE("DEL",KEYS[a])
elseif K then n=aE("SET",KEYS[a],o,"PX",K)
else n=aE("SET",KEYS[a],o,"KEEPTTL")
end
F=type(n)=="table"and n.err
end
end
if F then
local o=type(F)=="table"and F.err or F
B=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if Z(o,a,1,true)then B=-k end
end
local a=Z(o,"READONLY ",1,true)
if a then return{err=string.sub(o,a)}end
if not B then error(F,0)end
end
if aC then
if not y then return aA("%d,%d,%d,%d",h,B,c,h-e)end
return aA("%d,%d,%d,%d,%d,%d,%d",h,B,c,h-e,y,O,W)
end
g[aM],g[#g+1]=B,#s/aZ
for f=1,#s do g[#g+1]=s[f]end
for f=1,#d do g[#g+1]=d[f]end
return g
elseif aC then
af={bo(z,aV,ap,v,1,0,ap,0,Q)}
C=p==aH and{aH,1,1,q,0,aB,r}or{p,1,r,q}
an=J("MGET",KEYS[1])
end
elseif not am or am.takes_units then
local u,E,l,B,s,F=true,nil,{h,0},0,nil,nil
local j,aa={},{}
local y,W,X,Q,Y,q,ad
if C then
y,W,X,Q,Y,q,ad={},{},{},{},{},{},{}
end
for a=1,V do
local b,w=af[ak and ak[a]or 1],an[a]
local z,d,c,e,g,p,n=b.definition,b.kind,0,h,0,nil,nil
if w then
local m,t,i=nil,nil,nil
if#w==b.bytes then t,i,e,c,n=I(b.numbers,w)end
if t==z and i==0 then
g=c
elseif Z(w,z,1,true)==1 then
local f=#z+1
n=nil
local R,i=#w-f,nil
if R>=9 then
i,e,c=I("<Bi6I3",w,f)
g,f=c,f+10
if i>0 then
local k=i%4
local r,o=i%16>=aw,i%32>=ar
if R<9+2*k+(r and 7 or 0)+(o and 7 or 0)then
f=nil
else
if k>0 then c,f=I(k==1 and"<I5"or"<I7",w,f-3)end
g=i%16>=ao and 0 or c
if r then g,f=I("<I7",w,f)end
if o then p,f=I("<I7",w,f)end
end
end
else
f=nil
end
u=f==#w+1
else
u=false
end
if d>=N and u then
if d<N then
m=c==0 and 0 or e-h+S(c/b.refill_per_ms)
elseif d==N then
m=c==0 and 0 or e+S(c/b.rate)*b.period-h
else
m=c>0 and e+2*b.period-h or p and e+b.period-h or 0
end
n=m>0 and h+m or nil
end
else
E=E or{}
E[#E+1]=KEYS[a]
if d>=N then e=h-(h-(ab and ab[a]or 0))%b.period end
end
if e>h or b.rate==0 or d>=aN then u=false end
if not u then break end
local f=aY+ba*(a-1)
l[f+1],l[f+2]=c,h-e
if p or g~=c then
s=s or{}
local t=#s
s[t+1],s[t+2],s[t+3],s[t+4]=a,c-g,p or 0,0
end
if C then
y[a],W[a],X[a],Q[a],Y[a],q[a]=b,c,e,g,p,n
else
local v,O
if d<N then
local i=h-e
if i>0 then
c,e=c-i*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
v,O=c,b.ticks_per_unit
elseif d==N then
local i=h-e
if i>=b.period then
local k=L(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if g>c then g=c end
end
v,O=c,1
else
local i=h-e
if i>=b.period then
local k=L(i/b.period)
p=k==1 and c>0 and c or nil
c,e,g=0,e+k*b.period,0
end
v=c*b.period
if p then v=v+p*(b.period-x(0,h-e))end
O=1
end
if v+b.ticks_per_unit<=b.capacity_ticks then
c,g,B=c+O,g+O,B+1
local z,i,m,R,P,o,K=b.definition,0,nil,false,nil,nil,nil
if d<N then
m=c==0 and 0 or e-h+S(c/b.refill_per_ms)
elseif d==N then
m=c==0 and 0 or e+S(c/b.rate)*b.period-h
else
m=c>0 and e+2*b.period-h or p and e+b.period-h or 0
end
if ai==0 then R=n and h+m<=n end
if d<N and c<16777216 and g==c then
if ai==0 and not R then
m=m+L(m/4)
n=h+m
end
P=n or h
end
if c<16777216 and g==c and not p then
if P then o=D("<c0Bi6I3i6",z,i,e,c,P)
else o=D("<c0Bi6I3",z,i,e,c)
end
else
local k,s="<c0Bi6I3",""
if c>=1099511627776 then k,i="<c0Bi6I7",i+2
elseif c>=16777216 then k,i="<c0Bi6I5",i+1
end
if g~=c and g==0 then i=i+ao
elseif g~=c then i,s=i+aw,D("<I7",g)
end
if p then i,s=i+ar,s..D("<I7",p)end
o=D(k,z,i,e,c)..s
end
if not R then
K=aA("%d",(m<U and m or U)+ai)
end
j[a],aa[a]=o,K
end
end
end
if E and u and(#E>ah or J("EXISTS",unpack(E))>0)then u=false end
if u and C then
local f,t=1,#C
while f<=t do
local A,m,ap=f,f,true
if C[f]==bc then A,m=f+2,f+1+C[f+1]end
for T=A,m do
local a=C[T]
local b,c,e,g,p=y[a],W[a],X[a],Q[a],Y[a]
local d=b.kind
local v,O
if d<N then
local i=h-e
if i>0 then
c,e=c-i*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
v,O=c,b.ticks_per_unit
elseif d==N then
local i=h-e
if i>=b.period then
local k=L(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if g>c then g=c end
end
v,O=c,1
else
local i=h-e
if i>=b.period then
local k=L(i/b.period)
p=k==1 and c>0 and c or nil
c,e,g=0,e+k*b.period,0
end
v=c*b.period
if p then v=v+p*(b.period-x(0,h-e))end
O=1
end
W[a],X[a],Q[a],Y[a]=c,e,g,p
ap=ap and v+b.ticks_per_unit<=b.capacity_ticks
end
for T=A,ap and m or 0 do
local a=C[T]
local b=y[a]
local O=b.kind==aG and 1 or b.ticks_per_unit
W[a],Q[a],ad[a]=W[a]+O,Q[a]+O,true
B=B+1
end
f=m+1
end
for a=1,V do
if ad[a]then
local b,c,e,g,p,n=y[a],W[a],X[a],Q[a],Y[a],q[a]
local d=b.kind
local z,i,m,R,P,o,K=b.definition,0,nil,false,nil,nil,nil
if d<N then
m=c==0 and 0 or e-h+S(c/b.refill_per_ms)
elseif d==N then
m=c==0 and 0 or e+S(c/b.rate)*b.period-h
else
m=c>0 and e+2*b.period-h or p and e+b.period-h or 0
end
if ai==0 then R=n and h+m<=n end
if d<N and c<16777216 and g==c then
if ai==0 and not R then
m=m+L(m/4)
n=h+m
end
P=n or h
end
if c<16777216 and g==c and not p then
if P then o=D("<c0Bi6I3i6",z,i,e,c,P)
else o=D("<c0Bi6I3",z,i,e,c)
end
else
local k,s="<c0Bi6I3",""
if c>=1099511627776 then k,i="<c0Bi6I7",i+2
elseif c>=16777216 then k,i="<c0Bi6I5",i+1
end
if g~=c and g==0 then i=i+ao
elseif g~=c then i,s=i+aw,D("<I7",g)
end
if p then i,s=i+ar,s..D("<I7",p)end
o=D(k,z,i,e,c)..s
end
if not R then
K=aA("%d",(m<U and m or U)+ai)
end
j[a],aa[a]=o,K
end
end
end
if u then
for a=1,V do
if j[a]then
local n
if aa[a]then n=aE("PSETEX",KEYS[a],aa[a],j[a])
else n=aE("SET",KEYS[a],j[a],"KEEPTTL")
end
F=F or n.err
end
end
if F then
local o=type(F)=="table"and F.err or F
B=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if Z(o,a,1,true)then B=-k end
end
local a=Z(o,"READONLY ",1,true)
if a then return{err=string.sub(o,a)}end
if not B then error(F,0)end
end
l[aM],l[#l+1]=B,s and#s/aZ or 0
for f=1,s and#s or 0 do l[#l+1]=s[f]end
return l
end
elseif am.lends then
local au,ac,ap=string.rep,string.sub,table.remove
local al={[bg]=as,[be]=N,[bf]=aG}
local u,E,l,B,s,F=true,nil,{h,0},0,nil,nil
for o,b in ipairs(af)do
b.base=al[b.kind]or b.kind
b.unit=b.base==aG and 1 or b.ticks_per_unit
end
local y,W,X,Q,Y,aj,ad={},{},{},{},{},{},{}
local ag,ae,aa={},{},{}
local A={}
for a=1,V do
local b,w=af[ak and ak[a]or 1],an[a]
local z,d,c,e,g,p=b.definition,b.base,0,h,0,nil
local j,G,q=nil,0,0
if not w then
E=E or{}
E[#E+1]=KEYS[a]
if d>=N then e=h-(h-(ab and ab[a]or 0))%b.period end
elseif Z(w,z,1,true)==1 then
local f=#z+1
local R,i=#w-f,nil
if R>=9 then
i,e,c=I("<Bi6I3",w,f)
g,f=c,f+10
if i>0 then
local k=i%4
local r,o=i%16>=aw,i%32>=ar
if R<9+2*k+(r and 7 or 0)+(o and 7 or 0)then
f=nil
else
if k>0 then c,f=I(k==1 and"<I5"or"<I7",w,f-3)end
g=i%16>=ao and 0 or c
if r then g,f=I("<I7",w,f)end
if o then p,f=I("<I7",w,f)end
end
end
else
f=nil
end
if d==b.kind and d<N and f==#w-5 then f=#w+1 end
if f then q=(#w+1-f)/bB end
u=f and(q==0 or i<bd and d~=b.kind and q%1==0 and q<=aX)
if u and q>0 then
aa[a]=ac(w,f)
j={I(au(bb,q),aa[a])}
j[#j]=nil
for k=2,#j,M do G=G+j[k]end
end
else
u=false
end
if e>h or b.rate==0 or d>=aN then u=false end
if not u then break end
local T=aY+ba*(a-1)
l[T+1],l[T+2]=c,h-e
if p or g~=c then
s=s or{}
local t=#s
s[t+1],s[t+2],s[t+3],s[t+4]=a,c-g,p or 0,0
end
if d~=b.kind then
local t=#A+1
A[t]=j and#j/M or 0
for k=1,j and#j or 0 do A[t+k]=j[k]end
end
if j and d==as then
local r=G*b.ticks_per_unit
local k,R=1,x(h,e)
while k<#j and j[k]<=R do
local n=j[k]
if n>e then
c,e=x(r,c-(n-e)*b.refill_per_ms),n
end
r,k=r-j[k+1]*b.ticks_per_unit,k+M
end
if h>e then c,e=x(r,c-(h-e)*b.refill_per_ms),h end
g,aj[a]=H(g,c-r),c
else
local v,O
if d<N then
local i=h-e
if i>0 then
c,e=c-i*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
v,O=c,b.ticks_per_unit
elseif d==N then
local i=h-e
if i>=b.period then
local k=L(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if g>c then g=c end
end
v,O=c,1
else
local i=h-e
if i>=b.period then
local k=L(i/b.period)
p=k==1 and c>0 and c or nil
c,e,g=0,e+k*b.period,0
end
v=c*b.period
if p then v=v+p*(b.period-x(0,h-e))end
O=1
end
aj[a]=v
end
while j and j[1]and j[1]<=h do
G,aa[a]=G-j[2],nil
for o=1,M do ap(j,1)end
end
y[a],W[a],X[a],Q[a],Y[a]=b,c,e,g,p
ag[a],ae[a]=j,G
end
if E and u and(#E>ah or J("EXISTS",unpack(E))>0)then u=false end
if u then
local f,t=1,C and#C or V
while f<=t do
local a,q,T,r,w,P,z=C and C[f]or f,1,0,0,0,0,0
f=f+1
if a==aI then
a,q,T,r,w,P,z=unpack(C,f,f+6)
f=f+7
end
local b,j,G=y[a],ag[a],ae[a]
local c,v,g=W[a],aj[a],Q[a]
local O,e=b.unit,b.ticks_per_unit
if P+z>0 then
j,ad[a]=j or{},true
local d,i=0,0
for K=1,P+z do
local aW,m,k=C[f],C[f+1],M
while j[k]and j[k]~=aW do k=k+M end
if j[k]then
local p=j[k-1]
local n=H(p,m)
local R=K>P and 0 or n
j[k-1],G,i=R,G-p+R,i+p-n
if K>P then d=d+n end
for o=1,R==0 and M or 0 do ap(j,k-2)end
end
f=f+2
end
c,v,g=c-d*O,v-d*e,g+i*O
if d+i>0 then aa[a]=nil end
end
local i=T==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if v+x(1,q)*e<=i then
c,v,g=c+q*O,v+q*e,g+q*O
ad[a],B=true,B+1
if w>0 and b.share then
local K=h+b.share
if b.base~=as then K=H(K,X[a]+b.period)end
j=j or{}
local m=0
if w>0 and#j<M*aX then
local k=L(b.capacity_ticks/b.ticks_per_unit/2)
m=H(w,S(L((b.capacity_ticks-v)/b.ticks_per_unit)/2),k-G)
end
if m>0 then
local p,n=m,x(K,j[#j-2]or K)
for k=#j,M,-M do
if j[k]==r then
p=p+j[k-1]
for o=1,M do ap(j,k-2)end
end
end
local t=#j
j[t+1],j[t+2],j[t+3]=n,p,r
G=G+m
else
m=0
end
if m>0 then aa[a]=nil end
c,v,B=c+m*O,v+m*e,B+m
end
end
W[a],aj[a],Q[a],ag[a],ae[a]=c,v,g,j,G
end
for a=1,V do
if ad[a]and not F then
local b,c,e,g,p=y[a],W[a],X[a],Q[a],Y[a]
local z,d,i,m,o=b.definition,b.base,0,nil,nil
local j,P=ag[a],nil
local v=j and j[1]
if v and d==as then
local r=ae[a]*b.ticks_per_unit
local q,n=c,e
for k=1,#j,M do
if j[k]>e then
q=x(r,q-(j[k]-n)*b.refill_per_ms)
n,r=j[k],r-j[k+1]*b.ticks_per_unit
end
end
m=q<=0 and 0 or n+S(q/b.refill_per_ms)-h
else
if d<N then
m=c==0 and 0 or e-h+S(c/b.refill_per_ms)
elseif d==N then
m=c==0 and 0 or e+S(c/b.rate)*b.period-h
else
m=c>0 and e+2*b.period-h or p and e+b.period-h or 0
end
end
local n,K
if m<=0 then
n=aE("DEL",KEYS[a])
else
if c<16777216 and g==c and not p then
if P then o=D("<c0Bi6I3i6",z,i,e,c,P)
else o=D("<c0Bi6I3",z,i,e,c)
end
else
local k,s="<c0Bi6I3",""
if c>=1099511627776 then k,i="<c0Bi6I7",i+2
elseif c>=16777216 then k,i="<c0Bi6I5",i+1
end
if g~=c and g==0 then i=i+ao
elseif g~=c then i,s=i+aw,D("<I7",g)
end
if p then i,s=i+ar,s..D("<I7",p)end
o=D(k,z,i,e,c)..s
end
K=aA("%d",(m<U and m or U)+ai)
if v then
o=o..(aa[a]or D(au(bb,#j/M),unpack(j)))
end
n=aE("PSETEX",KEYS[a],K,o)
end
if type(n)=="table"then F=n.err end
end
end
if F then
local o=type(F)=="table"and F.err or F
B=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if Z(o,a,1,true)then B=-k end
end
local a=Z(o,"READONLY ",1,true)
if a then return{err=string.sub(o,a)}end
if not B then error(F,0)end
end
l[aM],l[#l+1]=B,s and#s/aZ or 0
for f=1,s and#s or 0 do l[#l+1]=s[f]end
for f=1,#A do l[#l+1]=A[f]end
return l
end
elseif am.logs then
local au,T,O,ap="<i6I7",13,416,9007199254740992
local ac=string.sub
local u,E,l,B,s,d,F=true,nil,{h,0},0,{},{},nil
local j,y={},{}
for a=1,V do
local b,w=af[ak and ak[a]or 1],an[a]
local z,c,e,g,p,G,t,v=b.definition,0,h,0,nil,"",h,0
local q=#d+1
d[q]=0
if w then
if Z(w,z,1,true)==1 then
local f=#z+1
local R,i=#w-f,nil
if R>=9 then
i,e,c=I("<Bi6I3",w,f)
g,f=c,f+10
if i>0 then
local k=i%4
local r,o=i%16>=aw,i%32>=ar
if R<9+2*k+(r and 7 or 0)+(o and 7 or 0)then
f=nil
else
if k>0 then c,f=I(k==1 and"<I5"or"<I7",w,f-3)end
g=i%16>=ao and 0 or c
if r then g,f=I("<I7",w,f)end
if o then p,f=I("<I7",w,f)end
end
end
else
f=nil
end
local K=f and#w+1-f or 0
u=f and i<ar and K>0 and K%T==0
if u then
local A,o,n,k=f,h-b.period,nil,nil
t,v=I(au,w,#w-T+1)
local r=v-c
if r<0 then r=r+ap end
n,k=I(au,w,A)
while n<=o and A<#w do
r,A=k,A+T
if A<#w then n,k=I(au,w,A)end
end
c=v-r
if c<0 then c=c+ap end
if g>c then g=c end
G=ac(w,A)
if c>0 then
local m=k-r
if m<0 then m=m+ap end
d[q+1],d[q+2]=n,m
if m<c then d[q+3],d[q+4]=t,c-m end
d[q]=(q-#d)/2
elseif G~=""then
u=false
end
end
else
u=false
end
else
E=E or{}
E[#E+1]=KEYS[a]
end
local n=c<b.capacity_ticks
if e>h or c>b.capacity_ticks or n and#G>O-T then u=false end
if not u then break end
local f=aY+ba*(a-1)
l[f+1],l[f+2]=c,h-e
if g~=c then
local f=#s
s[f+1],s[f+2],s[f+3],s[f+4]=a,c-g,0,0
end
if n then
local i,P,m,K,o=0,nil,b.period,nil,nil
if G==""then v=1
else
v=v>=ap-1 and v-(ap-1)or v+1
if t==h then G=ac(G,1,-T-1)end
end
c,g,e,B=c+1,g+1,h,B+1
if c<16777216 and g==c and not p then
if P then o=D("<c0Bi6I3i6",z,i,e,c,P)
else o=D("<c0Bi6I3",z,i,e,c)
end
else
local k,s="<c0Bi6I3",""
if c>=1099511627776 then k,i="<c0Bi6I7",i+2
elseif c>=16777216 then k,i="<c0Bi6I5",i+1
end
if g~=c and g==0 then i=i+ao
elseif g~=c then i,s=i+aw,D("<I7",g)
end
if p then i,s=i+ar,s..D("<I7",p)end
o=D(k,z,i,e,c)..s
end
j[a]=o..G..D(au,h,v)
if not y[b]then
K=aA("%d",(m<U and m or U)+ai)
y[b]=K
end
end
end
if E and u and(#E>ah or J("EXISTS",unpack(E))>0)then u=false end
if u then
for a=1,V do
if j[a]then
local n=aE("PSETEX",KEYS[a],y[af[ak and ak[a]or 1]],j[a])
F=F or n.err
end
end
if F then
local o=type(F)=="table"and F.err or F
B=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if Z(o,a,1,true)then B=-k end
end
local a=Z(o,"READONLY ",1,true)
if a then return{err=string.sub(o,a)}end
if not B then error(F,0)end
end
l[aM],l[#l+1]=B,#s/aZ
for f=1,#s do l[#l+1]=s[f]end
for f=1,#d do l[#l+1]=d[f]end
return l
end
end
local y,c,e,g={},{},{},{}
local Q,O,u,W,ag,aj,X={},{},{},{},{},{},{}
local aL,aP,aQ,bl={},{},{},{}
local aa,ad={},{}
local aD,aq={},{}
local aK,aJ,bI,bP,bk,bM,bL
local aR,aS
local function aF(a)
aa[a],c[a],e[a],g[a]=true,-1,h,0
aj[a],X[a]=nil,nil
end
local function cb(a,i,f)
local w=an[a]
if bj(i,bd)~=0 then O[a],f=I(br,w,f)end
if bj(i,bt)~=0 then aL[a],f=I(bw,w,f)end
if bj(i,bs)~=0 then
aP[a]={I(aT,w,f)}
f=aP[a][4]
end
aQ[a]=string.sub(w,f)
end
local az,ax,ay=c,e,g
local function bH(a,G)
local w,f,c,e,g,p=an[a],G+1,nil,nil,nil,nil
local R,i=#w-f,nil
if R>=9 then
i,e,c=I("<Bi6I3",w,f)
g,f=c,f+10
if i>0 then
local k=i%4
local r,o=i%16>=aw,i%32>=ar
if R<9+2*k+(r and 7 or 0)+(o and 7 or 0)then
f=nil
else
if k>0 then c,f=I(k==1 and"<I5"or"<I7",w,f-3)end
g=i%16>=ao and 0 or c
if r then g,f=I("<I7",w,f)end
if o then p,f=I("<I7",w,f)end
end
end
else
f=nil
end
if not f then return false end
az[a],ax[a],ay[a],Q[a]=c,e,g,p
return f>#w or pcall(cb,a,i,f)
end
local function bN(a,b)
if not b[1]or type(b[1][1])~="number"then return end
X[a]=table.remove(b,1)
for d=1,bA do
local f=X[a][d]
assert(type(f)=="number"and f>=0)
end
end
local function cg(a)
if not aL[a]then return false end
local d,b=pcall(cmsgpack.unpack,aL[a])
if not(d and#b==1 and pcall(bN,a,b)and X[a])then return true end
aL[a]=nil
return false
end
local E,Y,ae={},nil,{}
if C and C[1]==bx then Y={}end
for o,b in ipairs(af)do ae[b.kind]=true end
for a=1,V do
local b,w=af[ak and ak[a]or 1],an[a]
y[a]=b
if not w then
E[#E+1]=a
else
local d=Z(w,b.definition,1,true)==1 and bH(a,#b.definition)
if not d or cg(a)or e[a]>h then
Y=Y or{}
Y[#Y+1]=a
end
end
end
local at,bO
if C then
at={[-1]=1,[-2]=3,[-3]=1,[-4]=2,[-5]=1,[-6]=3,[-7]=3,[-12]=3,[-13]=5,[-11]=7,[-8]=1,[-9]=1,[-10]=2}
function bO(f)
local p,a=C[f],C[f+1]
if p>0 then return 1 end
if p==aI then return 1+at[aI]+2*(C[f+6]+C[f+7])end
local b=p==aH or p==bh
return 1+at[p]+(b and aU*a or p==bc and a or 0)
end
end
local ac={}
local function aO(a,d,k)
c[a]=c[a]+k
if d.record and k~=0 then d.record(a,k)end
end
local function bZ(a,b,q)
local d,f=b.algorithm,q*b.counts_per_unit
d.advance(a,b)
aO(a,d,f)
g[a]=g[a]+f
end
local function cl(a,b,j,l)
local d,f=b.algorithm,l-j
d.advance(a,b)
local i=(d.most_counts and d.most_counts(b)or U)-c[a]-(Q[a]or 0)
local k=d.queues and 0 or-g[a]
aO(a,d,x(k,H(f*b.counts_per_unit,x(0,i))))
g[a]=H(x(0,g[a]-j*b.counts_per_unit),c[a])
if f>0 and W[a]then aK(a,b,f,av)end
end
local function bY(a,b,v,s,f)
local d,i=b.algorithm,b.ticks_per_unit/b.counts_per_unit
if d.open then d.open(a,b)end
c[a],e[a],Q[a]=0,d.is_aligned and f-(f-(ab and ab[a]or 0))%b.period or f,nil
aO(a,d,S(v/i))
g[a]=L(s/i)
end
local function ch(a,b,i)
local d=b.algorithm
if not d.has_history or b.period~=i.period then return false end
local function f(z)return string.match(z,"^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,([^,]+)$")end
return f(b.definition)==f(i.definition)and d.used(a,b)<=b.capacity_ticks
end
local function al(d)
d.charge,d.settle,d.begin,d.keep=bZ,cl,bY,ch
return d
end
local function bC(b)
b.algorithm=ac[b.kind]
b.counts_per_unit=b.algorithm.counts_units and 1 or b.ticks_per_unit
end
local bn=ae[bg]or ae[be]or ae[bf]
if bn then ae[as],ae[N],ae[aG]=true,true,true end
if Y or ae[as]then
local l={is_reservable=true}
local function d(a,f)
while f~=0 do a,f=f,a%f end
return a
end
function l.define(b)
local a=d(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/a,b.rate/a
end
function l.used(a,b)
local c,e,g=c[a],e[a],0
local i=h-e
if i>0 then
c,e=c-i*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local az,ax,ay=c,e,g
function l.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local i=h-e
if i>0 then
c,e=c-i*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
az[a],ax[a],ay[a]=c,e,g
end
function l.reset_after(a,b)
local c,e,g,m=c[a],e[a],0,nil
local i=h-e
if i>0 then
c,e=c-i*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
m=c==0 and 0 or e-h+S(c/b.refill_per_ms)
return m
end
ac[as]=al(l)
end
if Y or ae[N]then
local f={is_aligned=true,is_reservable=true}
function f.used(a,b)
local c,e,g=c[a],e[a],0
local i=h-e
if i>=b.period then
local k=L(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local az,ax,ay=c,e,g
function f.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local i=h-e
if i>=b.period then
local k=L(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if g>c then g=c end
end
az[a],ax[a],ay[a]=c,e,g
end
function f.reset_after(a,b)
local c,e,g,m=c[a],e[a],0,nil
local i=h-e
if i>=b.period then
local k=L(i/b.period)
c,e=c-k*b.rate,e+k*b.period
if c<0 then c=0 end
if g>c then g=c end
end
m=c==0 and 0 or e+S(c/b.rate)*b.period-h
return m
end
function f.most_counts(b)
return b.rate==0 and U or H(U,L(U/b.period)*b.rate)
end
ac[N]=al(f)
end
if Y or ae[aG]then
local f={is_aligned=true,has_history=true,counts_units=true}
function f.define(b)
b.ticks_per_unit=b.period
end
function f.used(a,b)
local c,e,g,p,v=c[a],e[a],0,Q[a],nil
local i=h-e
if i>=b.period then
local k=L(i/b.period)
p=k==1 and c>0 and c or nil
c,e,g=0,e+k*b.period,0
end
v=c*b.period
if p then v=v+p*(b.period-x(0,h-e))end
return v
end
local az,ax,ay=c,e,g
function f.advance(a,b)
local c,e,g,p=c[a],e[a],g[a],Q[a]
local i=h-e
if i>=b.period then
local k=L(i/b.period)
p=k==1 and c>0 and c or nil
c,e,g=0,e+k*b.period,0
end
az[a],ax[a],ay[a],Q[a]=c,e,g,p
end
function f.reset_after(a,b)
local c,e,g,p,m=c[a],e[a],0,Q[a],nil
local i=h-e
if i>=b.period then
local k=L(i/b.period)
p=k==1 and c>0 and c or nil
c,e,g=0,e+k*b.period,0
end
m=c>0 and e+2*b.period-h or p and e+b.period-h or 0
return m
end
function f.most_counts(b)
return L(U/b.period)
end
ac[aG]=al(f)
end
if Y or ae[aN]then
function aR(a,b)
return(string.gsub(KEYS[bl[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function aB(b,d)
local j=redis.pcall(b,d,0,0)
if not j.err then return j end
if not Z(j.err,"WRONGTYPE",1,true)then error(j.err)end
end
function aS(d,b,R)
local j=aB(b,d)
if not j then return false end
if j[1]and#j[1]~=R then return false end
if j[1]then J("UNLINK",d)end
return true
end
local function bm(a,d,b,R)
local j=aB(b,d.key)
if not j or j[1]and#j[1]~=R then return aF(a)end
return j[1]~=nil
end
local function F(b,d,a)
for A=1,#a,ah do
J(b,d,unpack(a,A,H(A+ah-1,#a)))
end
end
local function R(a)
return x(e[a],h)
end
local function bp(b)
local a={}
for d in pairs(b)do a[#a+1]=d end
table.sort(a)
return a
end
local au,T,ap="<i6I7",13,9007199254740992
local r=32
local B=r*T
local bi=1024
local j={has_history=true,keeps_list=true}
local function bF(v,m)
return v>=ap-m and v-(ap-m)or v+m
end
local function w(v,a)
return v<a and v-a+ap or v-a
end
local function bE(d,a)
local o=d.read[a]
if not o then
o=J("LINDEX",d.key,a-1)
d.read[a]=o
end
return o
end
local function s(d,f)
local o,a=d.tail,(f-d.pages*r-1)*T
if a<0 then o,a=bE(d,S(f/r)),(f-1)%r*T end
local n,v=I(au,o,a+1)
return n-d.shift,v
end
local function z(d,f)
if f==d.head then return d.base end
local o,v=s(d,f)
return v
end
local function bD(d,n)
local f,k=d.head,d.length
if f==k or s(d,f+1)>n then return f end
while f<k do
local i=S((f+k)/2)
if s(d,i)<=n then f=i else k=i-1 end
end
return f
end
local function bv(d,m)
local f,k=d.head,d.length
while f<k do
local i=S((f+k)/2)
if w(d.sum,z(d,i))>=m then f=i else k=i-1 end
end
return f
end
local function aW(d,G)
d.tail,d.length=G,d.pages*r+#G/T
d.sum=d.length>d.head and select(2,s(d,d.length))or d.base
end
local function bq(d,n,v)
d.tail=d.tail..D(au,n+d.shift,v)
d.length,d.sum=d.length+1,v
end
function j.open(a,b)
local d=aR(a,b)
local f=u[a]and u[a].key==d and u[a].is_apart
u[a]={
key=d,is_apart=f,pages=0,head=0,base=0,shift=0,tail="",length=0,sum=0,
read={},cuts={},stored=0,
}
return u[a]
end
function j.load(a,b)
local d,m,G=j.open(a,b),aP[a],aQ[a]or""
if#G%T~=0 then return aF(a)end
if m then
d.pages,d.head,d.shift=m[1],m[2],m[3]
d.is_apart,d.stored=d.pages>0,d.pages
end
if d.is_apart and not bm(a,d,"LRANGE",B)then
d.is_apart,d.pages,d.head,d.stored=false,0,0,0
G=D(au,e[a]+d.shift,c[a])
end
aW(d,G)
d.base=w(d.sum,c[a])
end
local function P(a,b)
local d,o=u[a],R(a)-b.period
if d.over~=o then d.over,d.last_over=o,bD(d,o)end
return d.last_over
end
function j.used(a,b)
local d=u[a]
return w(d.sum,z(d,P(a,b)))
end
function j.advance(a,b)
local d,o=u[a],P(a,b)
d.base=z(d,o)
d.head=o
c[a]=w(d.sum,d.base)
g[a]=H(g[a],c[a])
end
function j.reset_after(a,b)
local d=u[a]
if d.length==d.head then return 0 end
return x(0,s(d,d.length)+b.period-h)
end
local function bG(a,m)
local d,n=u[a],R(a)
local v=bF(d.sum,m)
if d.length==d.head then d.base,v=0,m end
if d.length>d.head and s(d,d.length)==n then
d.tail,d.length=string.sub(d.tail,1,-T-1),d.length-1
end
bq(d,n,v)
e[a]=n
end
local function bK(d,f)
if f<=d.pages*r then
local a=x(0,S(f/r)-1)
local G=f>0 and string.sub(bE(d,a+1),1,(f-a*r)*T)or""
d.pages=a
return aW(d,G)
end
aW(d,string.sub(d.tail,1,(f-d.pages*r)*T))
end
local function bJ(a,m)
local d=u[a]
local t,v=bv(d,m),w(d.sum,m)
d.cuts[t],d.cuts[t+1]=true,true
local n=t<d.length and v~=z(d,t)and s(d,t+1)
bK(d,t)
if n then bq(d,n,v)end
end
function j.record(a,k)
if k>0 then bG(a,k)else bJ(a,-k)end
end
function j.note(a,b,i)
local d=u[a]
if O[a]and O[a]>h then d.cuts[bD(d,x(e[a],O[a])-b.period)]=true end
if i>=0 and j.used(a,b)>i then d.cuts[bv(d,i+1)+1]=true end
end
function j.note_each(a,b,m)
local d,f=u[a],P(a,b)
local p,i=z(d,f),j.used(a,b)+m-b.capacity_ticks
while f<d.length and w(z(d,f),p)<i do
f=f+1
d.cuts[f]=true
end
aD[a].is_whole=f==d.length
if not aD[a].is_whole then j.note(a,b,-1)end
end
function j.see(a,b)
local d,o=u[a],P(a,b)
aD[a]={
key=d.key,pages=d.pages,head=o,base=z(d,o),length=d.length,shift=d.shift,
tail=d.tail,read=d.read,cuts=d.cuts,
}
end
function j.show(a,l)
local A,q=aD[a],#l+1
local v,d=A.base,0
if A.length>A.head then A.cuts[A.head+1],A.cuts[A.length]=true,true end
l[q]=0
for o,f in ipairs(bp(A.cuts))do
if f>A.head and f<=A.length then
local n,k=s(A,f)
l[#l+1],l[#l+2]=n,w(k,v)
v,d=k,d+1
end
end
l[q]=A.is_whole and d or-d
end
function j.divide(a)
local d=u[a]
if d.length==d.head then d.pages,d.head,d.tail,d.shift=0,0,"",0 end
d.dropped=H(L(d.head/r),d.pages,bi)
d.kept=d.pages-d.dropped
local t,G,b=d.head-d.dropped*r,d.tail,{}
if d.kept==0 then t,G=0,string.sub(G,t*T+1)end
local f=nil
while#G>B do
if f==nil then f=d.is_apart or aS(d.key,"LRANGE",B)end
if not f then break end
b[#b+1],G=string.sub(G,1,B),string.sub(G,B+1)
end
d.pushed=b
local i=d.kept+#b
return(i>0 or d.shift~=0)and D(aT,i,t,d.shift)or"",G
end
function j.write(a,K)
local d=u[a]
if d.is_apart and d.kept==0 then J("UNLINK",d.key)
elseif d.is_apart and(d.dropped>0 or d.pages<d.stored)then
J("LTRIM",d.key,d.dropped,d.pages-1)
end
F("RPUSH",d.key,d.pushed)
if d.kept+#d.pushed>0 then J("PEXPIRE",d.key,K)end
end
function j.rewind(a,m)
u[a].shift,u[a].over=u[a].shift+m,nil
end
ac[aN]=al(j)
local d=j.keep
function j.keep(a,b,i)
if not d(a,b,i)then return false end
bk(a,b,"LRANGE",B)
return true
end
end
if Y or ae[bu]then
local l={is_reservable=true}
local function d(a,f)
while f~=0 do a,f=f,a%f end
return a
end
function l.define(b)
local a=d(b.rate,b.period)
b.ticks_per_unit,b.refill_per_ms=b.period/a,b.rate/a
end
function l.used(a,b)
local c,e,g=c[a],e[a],0
local i=h-e
if i>0 then
c,e=c-i*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
return c
end
local az,ax,ay=c,e,g
function l.advance(a,b)
local c,e,g=c[a],e[a],g[a]
local i=h-e
if i>0 then
c,e=c-i*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
az[a],ax[a],ay[a]=c,e,g
end
function l.reset_after(a,b)
local c,e,g,m=c[a],e[a],0,nil
local i=h-e
if i>0 then
c,e=c-i*b.refill_per_ms,h
if c<0 then c=0 end
if g>c then g=c end
end
m=c==0 and 0 or e-h+S(c/b.refill_per_ms)
return m
end
l.queues=true
ac[bu]=al(l)
end
if Y or ae[aV]then
function aR(a,b)
return(string.gsub(KEYS[bl[a]or a],":{","+"..string.sub(b.definition,1,-2).."{",1))
end
local function aB(b,d)
local j=redis.pcall(b,d,0,0)
if not j.err then return j end
if not Z(j.err,"WRONGTYPE",1,true)then error(j.err)end
end
function aS(d,b,R)
local j=aB(b,d)
if not j then return false end
if j[1]and#j[1]~=R then return false end
if j[1]then J("UNLINK",d)end
return true
end
local function bm(a,d,b,R)
local j=aB(b,d.key)
if not j or j[1]and#j[1]~=R then return aF(a)end
return j[1]~=nil
end
local function F(b,d,a)
for A=1,#a,ah do
J(b,d,unpack(a,A,H(A+ah-1,#a)))
end
end
local function R(a)
return x(e[a],h)
end
local function bp(b)
local a={}
for d in pairs(b)do a[#a+1]=d end
table.sort(a)
return a
end
local z,G,B="<I7B",8,35184372088832
local bi=128
local function w(k,n)
return aA("%.0f",(k-1)*B+n)
end
local function T(m,b)
local k=1
while m>0 do
if m%2==1 then b(k)end
m,k=L(m/2),k+1
end
end
local function bX(d,n)
local m,f=0,x(0,d.floor+d.shift+1)
for k=1,d.sizes do
local a=J("ZCOUNT",d.key,w(k,f),w(k,n+d.shift))
m=m+2^(k-1)*a
end
return m
end
local function ck(d,r)
local a={}
for k=1,d.sizes do a[k]=D(z,r,k)end
local i={units=0,id=r}
for k,o in ipairs(#a>0 and J("ZMSCORE",d.key,unpack(a))or{})do
if o then
i.units=i.units+2^(k-1)
i.instant=tonumber(o)-(k-1)*B-d.shift
end
end
return i.units>0 and i or nil
end
local function cm(d,l)
for k=1,d.sizes do
local A,t,b=w(k,l+d.shift),w(k+1,-1),{}
for o,a in ipairs(J("ZRANGEBYSCORE",d.key,"("..A,t))do
b[#b+1],b[#b+2]=A,a
end
F("ZADD",d.key,b)
end
end
local function cj(d)
local a,p,j={},{},J("ZRANGE",d.key,0,-1,"WITHSCORES")
for f=1,#j,2 do
local r,k=I(z,j[f])
local i=a[r]or{units=0,id=r}
i.instant=tonumber(j[f+1])-(k-1)*B-d.shift
i.units=i.units+2^(k-1)
if not a[r]then a[r],p[#p+1]=i,i end
end
return p
end
local function cn(d,j,f)
local a,b={},{}
for r,i in pairs(j)do
T(i.units,function(k)a[#a+1]=D(z,r,k)end)
end
for o,i in pairs(f)do
T(i.units,function(k)
b[#b+1],b[#b+2]=w(k,i.instant+d.shift),D(z,i.id,k)
end)
end
F("ZREM",d.key,a)
F("ZADD",d.key,b)
return#b/2
end
local function cc(d,f)
local P=bi+f
for k=1,d.sizes do
local A,t=w(k,0),w(k,x(-1,d.floor+d.shift))
local a=P>0 and J("ZRANGEBYSCORE",d.key,A,t,"LIMIT",0,P)or{}
F("ZREM",d.key,a)
P=P-#a
end
end
local bq,au="<i6I4I7",17
local bR=-B
local aW=16
local s={holds_leases=true,keeps_list=true}
function s.open(a,b)
local d=aR(a,b)
local f=u[a]and u[a].key==d and u[a].is_apart
u[a]={
key=d,is_apart=f,shift=0,cuts={},kept={},sizes=0,floor=bR,
found={},removed={},added={},
}
return u[a]
end
function s.load(a,b)
local d,m,o=s.open(a,b),aP[a],aQ[a]or""
if#o%au~=0 then return aF(a)end
local f=1
while f<=#o do
local i={}
i.instant,i.units,i.id,f=I(bq,o,f)
d.kept[#d.kept+1]=i
end
if not m then return end
d.sizes,d.floor,d.shift=m[1],m[2],m[3]
d.is_apart,d.kept=true,nil
if bm(a,d,"ZRANGE",G)or aa[a]then return end
s.open(a,b).kept[1]={instant=e[a]+b.period,units=c[a],id=av}
end
local function bD(d,n)
if n<=d.floor then return 0 end
if not d.kept then return bX(d,n)end
local m=0
for o,i in ipairs(d.kept)do
if i.instant>n then break end
if i.instant>d.floor then m=m+i.units end
end
return m
end
local function t(p,d,n)
local m=0
for o,i in pairs(p)do
if i.instant>d.floor and i.instant<=n then m=m+i.units end
end
return m
end
local function bE(d,n)
return bD(d,n)-t(d.removed,d,n)+t(d.added,d,n)
end
local function ca(a)
local d,n=u[a],R(a)
if n<=d.floor then return 0 end
if d.over~=n then d.over,d.units_over=n,bE(d,n)end
return d.units_over
end
function s.used(a)
return c[a]-ca(a)
end
function s.advance(a)
c[a]=s.used(a)
u[a].floor=x(u[a].floor,R(a))
end
local function ce(d,r)
for o,i in ipairs(d.kept)do
if i.id==r then return i end
end
end
local function cf(d,r)
if d.found[r]==nil then
d.found[r]=(d.kept and ce or ck)(d,r)or false
end
return d.found[r]or nil
end
local function bG(d,r)
local i=d.added[r]or not d.removed[r]and cf(d,r)or nil
return i and i.instant>d.floor and i or nil
end
local function ap(d,r)
local i=bG(d,r)
if not i then return 0 end
if d.added[r]then d.added[r]=nil else d.removed[r]=i end
return i.units
end
local function aO(a,r,m,n)
local d=u[a]
local p=ap(d,r)
d.added[r]={instant=n,units=p+m,id=r}
end
function s.charge(a,b,m,r)
s.advance(a)
e[a]=R(a)
aO(a,r,m,e[a]+b.period)
c[a]=c[a]+m
end
s.settle=s.advance
function s.reset_after(a,b)
return s.used(a)==0 and 0 or e[a]+b.period-h
end
function s.begin(a,b,v,o,f)
s.open(a,b)
c[a],e[a],Q[a],g[a]=0,f,nil,0
if v>0 then s.charge(a,b,v,av)end
end
local function bv(n,m,l)
local p={}
for k,i in ipairs(n)do
p[k]={instant=H(i.instant-m,l),units=i.units,id=i.id}
end
return p
end
function s.keep(a,b,i)
bk(a,b,"ZRANGE",G)
s.advance(a)
local d,l=u[a],R(a)+b.period
if d.kept then d.kept=bv(d.kept,0,l)
elseif b.period<i.period and not aa[a]then cm(d,l)
end
e[a]=R(a)
return true
end
local function bJ(p,m)
local a={}
for r,i in pairs(p)do a[r]={instant=i.instant-m,units=i.units,id=r}end
return a
end
function s.rewind(a,m)
local d=u[a]
d.floor,d.over,d.found=d.floor-m,nil,{}
d.added,d.removed=bJ(d.added,m),bJ(d.removed,m)
if d.kept then d.kept=bv(d.kept,m,math.huge)else d.shift=d.shift+m end
end
local function P(a,r,q)
s.advance(a)
local d=u[a]
local i=bG(d,r)
if not i or i.units~=q then return false end
c[a]=c[a]-ap(d,r)
return true
end
local function bK(a,b,r,q)
local j=P(a,r,q)
if j then s.charge(a,b,q,r)end
return j
end
local function bF(a,b)
for o,f in ipairs(W[a]or{})do
if y[f].algorithm==s then b(f,y[f])end
end
end
function s.release(a,o,r,q)
bF(a,function(f)P(f,r,q)end)
P(a,r,q)
end
function s.renew(a,b,r,q)
if not bK(a,b,r,q)then return end
bF(a,function(f,d)
if not bK(f,d,r,q)then s.charge(f,d,q,r)end
end)
end
local function cd(a,b,m)
local d,f,k=u[a],R(a),e[a]+b.period
for o,i in ipairs(d.kept or{})do
local j=i.instant>d.floor and not d.removed[i.id]
if j then m=m-i.units end
if j and m<=0 then return i.instant end
end
if d.kept then return k end
while f+1<k do
local i=L((f+k)/2)
if bE(d,i)>=m then k=i else f=i end
end
return k
end
function s.note(a,b,i)
local d=u[a]
if O[a]and O[a]>h then d.cuts[x(e[a],O[a])]=true end
if i>=0 and s.used(a)>i then d.cuts[cd(a,b,c[a]-i)]=true end
end
function s.note_each(a)
aD[a].is_whole=true
end
function s.see(a,b)
local d=u[a]
aD[a]={
key=d.key,kept=d.kept,sizes=d.sizes,shift=d.shift,floor=x(d.floor,R(a)),
used=s.used(a),latest=e[a]+b.period,cuts=d.cuts,found=d.found,
}
end
local function ci(A)
local b,p=A.found,{}
if A.is_whole then b=A.kept or cj(A)end
for o,i in pairs(b)do
if i and i.instant>A.floor then p[#p+1]=i end
end
table.sort(p,function(a,f)return a.instant<f.instant end)
return p
end
function s.show(a,l)
local A,q,d,v,f=aD[a],#l+1,0,0,1
local p=ci(A)
local function K(n,m,r)
l[#l+1],l[#l+2],l[#l+3]=n,m,r
d=d+1
end
l[q],A.cuts[A.latest]=0,true
for o,b in ipairs(bp(A.cuts))do
if b>A.floor and b<=A.latest then
local k=b==A.latest and A.used or bD(A,b)
local j=k-v
while p[f]and p[f].instant<=b do
local i=p[f]
K(i.instant,i.units,i.id)
j,f=j-i.units,f+1
end
if j>0 then K(b,j,-2-d)end
v=k
end
end
l[q]=d
end
local function r(d)
local p={}
for o,i in ipairs(d.kept)do
if i.instant>d.floor and not d.removed[i.id]then p[#p+1]=i end
end
for o,i in pairs(d.added)do p[#p+1]=i end
return p
end
function s.divide(a)
local d,j=u[a],{}
if not d.kept and c[a]==t(d.added,d,math.huge)then d.kept,d.shift={},0 end
if d.kept then
local p=r(d)
if#p<=aW or not(d.is_apart or aS(d.key,"ZRANGE",G))then
for k,i in ipairs(p)do j[k]=D(bq,i.instant,i.units,i.id)end
return"",table.concat(j)
end
d.moved=p
end
for o,i in pairs(d.moved or d.added)do
T(i.units,function(k)d.sizes=x(d.sizes,k)end)
end
return D(aT,d.sizes,d.floor,d.shift),""
end
function s.write(a,K)
local d=u[a]
if d.kept and d.is_apart then J("UNLINK",d.key)end
if d.kept and not d.moved then return end
local f=cn(d,d.removed,d.moved or d.added)
if not d.kept then cc(d,f)end
J("PEXPIRE",d.key,K)
end
ac[aV]=s
end
if Y or bn then
local au,ap=string.rep,table.remove
local bE,bD=c,e
local function B(a)
return x(e[a],h)
end
local function A(a,m)
local j={unpack(u[a].shares)}
for k=1,#j,M do j[k]=j[k]-m end
u[a]={shares=j}
return j
end
local function T(a)
local j,n=u[a].shares,B(a)
if not j[1]or j[1]>n then return end
j=A(a,0)
while j[1]and j[1]<=n do
for o=1,M do ap(j,1)end
end
end
local function F(a,n)
local j,m=u[a].shares,0
for k=1,#j,M do
if j[k]>n then m=m+j[k+1]end
end
return m
end
local function s(a)
u[a]={shares={}}
end
local function bq(a)
local o=aQ[a]or""
local q=#o/bB
if q%1~=0 or q>aX then return aF(a)end
local j={I(au(bb,q),o)}
j[#j]=nil
u[a]={shares=j}
end
local function bi(a)
local j=u[a].shares
return"",D(au(bb,#j/M),unpack(j))
end
local function bv(a)
aD[a]=u[a].shares
end
local function bp(a,l)
local j,f=aD[a],#l+1
l[f]=#j/M
for k=1,#j do l[f+k]=j[k]end
end
local function bm(a,b)
if F(a,B(a))==0 then return false end
b.algorithm.advance(a,b)
c[a],Q[a],g[a]=F(a,0)*b.counts_per_unit,nil,0
return true
end
local function aB(a,b,f,P,z)
b.algorithm.advance(a,b)
local j,G=A(a,0),0
local d,i=0,0
for K=1,P+z do
local aW,m,k=C[f],C[f+1],M
while j[k]and j[k]~=aW do k=k+M end
if j[k]then
local p=j[k-1]
local n=H(p,m)
local R=K>P and 0 or n
j[k-1],G,i=R,G-p+R,i+p-n
if K>P then d=d+n end
for o=1,R==0 and M or 0 do ap(j,k-2)end
end
f=f+2
end
c[a]=c[a]-d*b.counts_per_unit
g[a]=g[a]+i*b.counts_per_unit
end
local function z(a,b,r,w)
if not b.share then return 0 end
local d=b.algorithm
d.advance(a,b)
local j,G,v=A(a,0),F(a,0),d.used(a,b)
local K=d.lent_until(a,b)
local m=0
if w>0 and#j<M*aX then
local k=L(b.capacity_ticks/b.ticks_per_unit/2)
m=H(w,S(L((b.capacity_ticks-v)/b.ticks_per_unit)/2),k-G)
end
if m>0 then
local p,n=m,x(K,j[#j-2]or K)
for k=#j,M,-M do
if j[k]==r then
p=p+j[k-1]
for o=1,M do ap(j,k-2)end
end
end
local t=#j
j[t+1],j[t+2],j[t+3]=n,p,r
G=G+m
else
m=0
end
c[a]=c[a]+m*b.counts_per_unit
return m
end
local function o(d)
d.open,d.load,d.divide,d.see,d.show,d.rewind=s,bq,bi,bv,bp,A
d.forget,d.report,d.lend=bm,aB,z
return al(d)
end
local l={base=ac[as],is_reservable=true,define=ac[as].define}
local function i(a,b)
local c,e,j=bE[a],bD[a],u[a].shares
local r=F(a,0)*b.ticks_per_unit
local k,R=1,x(h,e)
while k<#j and j[k]<=R do
local n=j[k]
if n>e then
c,e=x(r,c-(n-e)*b.refill_per_ms),n
end
r,k=r-j[k+1]*b.ticks_per_unit,k+M
end
if h>e then c,e=x(r,c-(h-e)*b.refill_per_ms),h end
return c,e,r
end
function l.used(a,b)
return(i(a,b))
end
function l.advance(a,b)
local r
c[a],e[a],r=i(a,b)
g[a]=H(g[a],c[a]-r)
T(a)
end
function l.reset_after(a,b)
local j,m=u[a].shares,nil
local c,e,r=i(a,b)
local q,n=c,e
for k=1,#j,M do
if j[k]>e then
q=x(r,q-(j[k]-n)*b.refill_per_ms)
n,r=j[k],r-j[k+1]*b.ticks_per_unit
end
end
m=q<=0 and 0 or n+S(q/b.refill_per_ms)-h
return m
end
function l.lent_until(a,b)
return B(a)+b.share
end
local function j(f)
local d=setmetatable({base=f},{__index=f})
function d.advance(a,b)
f.advance(a,b)
T(a)
end
function d.lent_until(a,b)
return H(B(a)+b.share,e[a]+b.period)
end
return d
end
ac[bg]=o(l)
ac[be]=o(j(ac[N]))
ac[bf]=o(j(ac[aG]))
end
for o,b in ipairs(af)do bC(b)end
local bm=Y or ae[aN]or ae[aV]or bn
for A=1,#E,ah do
local t,a=H(A+ah-1,#E),{}
for k=A,t do a[#a+1]=KEYS[E[k]]end
if J("EXISTS",unpack(a))>0 then
for k=A,t do
if J("EXISTS",KEYS[E[k]])==1 then aF(E[k])end
end
end
end
for o,a in ipairs(E)do
if not aa[a]then y[a].algorithm.begin(a,y[a],0,0,h)end
end
if Y then
local bR=7
local function bp(z)
local f={}
for a in string.gmatch(z or"","[^,\\n]+")do f[#f+1]=tonumber(a,36)or false end
local d,al,v,ap,j,k=unpack(f)
local a=ac[d]
if not(a and al and v)then return nil end
ap=ap or al
local b=bo(z,d,al,v,1,0,0,0)
b.max_reserved,b.start=j or nil,k or nil
if a.define then a.define(b)end
b.capacity_ticks=ap*b.ticks_per_unit
if a.is_reservable and al>0 then
local i=(a.most_counts and a.most_counts(b)or U)-b.capacity_ticks
b.debt_ticks=j and H(j*b.ticks_per_unit,i)or i
end
bC(b)
return b
end
local B=V
local function F(a)
B=B+1
bl[B]=a
return B
end
local function cd(a,o)
local p=cmsgpack.unpack(o)
if type(p[1])=="number"then aj[a]=table.remove(p,1)end
bN(a,p)
W[a]=#p>0 and{}or nil
for k,d in ipairs(p)do
local f,z,m=F(a),nil,nil
z,c[f],e[f],g[f],Q[f],ag[f],m,aQ[f]=
unpack(d)
if Q[f]==0 then Q[f]=nil end
local b=assert(bp(z))
y[f],W[a][k]=b,f
if m~=""then aP[f]={I(aT,m)}end
if b.algorithm.load then b.algorithm.load(f,b)end
assert(not aa[f])
end
end
function bI(a)
local p,l={aj[a]},x(h,aj[a]or 0)
p[#p+1]=X[a]
for o,f in ipairs(W[a]or{})do
local b,m,n=y[f],"",""
l=x(l,ag[f])
if b.algorithm.divide then m,n=b.algorithm.divide(f)end
p[#p+1]={
b.definition,c[f],e[f],g[f],Q[f]or 0,ag[f],m,n,
}
end
return cmsgpack.pack(p),l-h
end
function bP(a,K)
for o,f in ipairs(W[a]or{})do
local d=y[f].algorithm
if d.write then d.write(f,K)end
end
end
local function cc(a)
local i=bp(string.match(an[a],"^[^\\n]*\\n"))
if not i or not bH(a,#i.definition)then return nil end
if aL[a]and not pcall(cd,a,aL[a])then return nil end
return i
end
local function ap(v,i,b)
if i.ticks_per_unit==b.ticks_per_unit then return v end
local m=L(v/i.ticks_per_unit)
local k=(v-m*i.ticks_per_unit)/i.ticks_per_unit
return m*b.ticks_per_unit+H(b.ticks_per_unit,S(k*b.ticks_per_unit))
end
local function bK(v,i,b)
return b.capacity_ticks+H(ap(x(0,v-i.capacity_ticks),i,b),b.debt_ticks)
end
local function bq(a,f)
return(a.base or a)==(f.base or f)
end
local function ce(a,b,i)
local f,d=i.algorithm,b.algorithm
if bq(f,d)and d.keep(a,b,i)then
if f.base or d.base then u[a]=d.base and{shares={}}or nil end
return
end
f.advance(a,i)
local v=f.used(a,i)
local n=H(ap(v,i,b),bK(v,i,b))
local s=H(n,ap(g[a]*i.ticks_per_unit/i.counts_per_unit,i,b))
u[a]=nil
d.begin(a,b,n,s,x(h,e[a]))
end
local function aW(b)
if b.rate==0 then return 2*b.period end
return b.period*x(2,S(b.capacity_ticks/b.ticks_per_unit/b.rate))
end
local function bF(a,f)
c[f],e[f],g[f],Q[f]=c[a],e[a],g[a],Q[a]
end
local function bG(a,f)
for d,w in pairs(a)do
if f[d]==nil then f[d]=w end
end
return f
end
local function bE(s,l)
local a={}
for r,i in pairs(s or{})do
a[r]={instant=H(i.instant,l),units=i.units,id=r}
end
return a
end
function bk(a,b,i,R)
local d,l=u[a],x(e[a],h)+b.period
local f=bG(d,{
key=aR(a,b),is_beside=false,cuts={},found={},
removed=bE(d.removed,l),added=bE(d.added,l),
})
u[a]=f
if not f.is_apart or f.key==d.key then return end
if not aS(f.key,i,R)then return aF(a)end
J(d.is_beside and"COPY"or"RENAME",d.key,f.key)
end
local function bD(a,i,b)
local f=F(a)
y[f],u[f]=i,u[a]
if u[a]then
u[a].is_beside=true
u[a]=bG(u[a],{})
end
bF(a,f)
ag[f]=H(h+x(i.algorithm.reset_after(f,i),aW(i),aW(b)),U)
return f
end
local function G(a,b)
if e[a]-h<b.period then return 0 end
local p=b.algorithm.is_aligned and b.period or 1
local m=L((e[a]-h)/p)*p
e[a],O[a]=e[a]-m,O[a]and x(0,O[a]-m)
local n=X[a]
if n then X[a]={n[1],x(0,n[2]-m),n[3],x(0,n[4]-m)}end
if u[a]then b.algorithm.rewind(a,m)end
return m
end
local function au(j)
local n={}
for o,f in ipairs(j or{})do
ag[f]=ag[f]-G(f,y[f])
if ag[f]>h then n[#n+1]=f end
end
return n
end
local K="1,0,eiz5s00,gjdgxs\\n"
local function bi(j)
for k,f in ipairs(j or{})do
if y[f].definition==K then return f,k end
end
end
local function cf(a)
local n=F(a)
y[n]=bp(K)
c[n],e[n],Q[n],g[n],ag[n]=0,h,0,0,0
return n
end
local function bX(a,i,j)
local n,k=bi(j)
if n then table.remove(j,k)else n=cf(a)end
local v,f=i.algorithm.used(a,i),i.ticks_per_unit
c[n]=x(c[n],S(v/f))
Q[n]=x(Q[n]or 0,S((v-i.capacity_ticks)/f))
ag[n]=x(ag[n],H(h+i.algorithm.reset_after(a,i),U))
j[#j+1]=n
end
local function ca(a,b)
local n=bi(W[a])
if not n then return end
local d,f=b.algorithm,b.ticks_per_unit
local j=H((Q[n]or 0)*f,b.debt_ticks)
local v=H(c[n]*f,b.capacity_ticks+j)
local k=v-d.used(a,b)
if k<=0 then return end
if d.holds_leases then return d.charge(a,b,k,h)end
d.advance(a,b)
d.begin(a,b,v,g[a]*f/b.counts_per_unit,x(h,e[a]))
end
local function bJ(j)
return#j-(bi(j)and 1 or 0)>=bR
end
local function ck(a,b,i,j)
if i.algorithm.reset_after(a,i)>0 then
if bJ(j)then bX(a,i,j)
else j[#j+1]=au({bD(a,i,b)})[1]end
end
W[a]=#j>0 and j or nil
ce(a,b,i)
ca(a,b)
end
local function cj(a,b,i,j,d)
G(a,i)
local f=table.remove(j,d)
j[#j+1]=bD(a,i,b)
W[a]=j
bF(f,a)
u[a]=u[f]
end
local function aB(j,b)
for k,f in ipairs(j)do
if y[f].definition==b.definition then return k end
end
end
local function P(a,b,i)
local j=au(W[a])
local d=aB(j,b)
if d then cj(a,b,i,j,d)else ck(a,b,i,j)end
end
local A={}
local bv=2147483647
local function w(a,i,b)
local d=b.algorithm
if(aj[a]or 0)<=h or d.base then return false end
return bq(i.algorithm,d)or bq(i.algorithm,ac[as])and not d.holds_leases
end
local function cm(b)
if b.max_reserved then return 0 end
local d,a=b.algorithm,bv*b.refill_per_ms
if d.is_aligned then a=L(bv/b.period)*b.rate
elseif d.queues then a=x(0,a+b.ticks_per_unit-b.capacity_ticks)
end
return x(0,b.debt_ticks-a)
end
local function s(a,n)
ab=ab or{}
ab[a]=n
end
local function n(a,b,i)
A[a]={plan=b,anchor=ab and ab[a]or 0,own=i}
i.unreservable=cm(i)
if i.definition~=b.definition then y[a]=i end
s(a,e[a])
end
local function ci(a,l,T)
local j,r=W[a]or{},A[a].plan
local k=aB(j,r)
local d=k and ag[j[k]]>aj[a]
for o,f in ipairs(j)do
local z,t=y[f].definition,#l
local b=z==r.definition and 0 or z==K and 1 or 2
if b<2 or not d then
l[T]=l[T]+1
l[t+1],l[t+2],l[t+3]=b,c[f],e[f]
l[t+4],l[t+5],l[t+6]=g[f],Q[f]or 0,ag[f]
end
end
end
function bM(a,l)
local b,f=A[a].own,#l
l[f+1],l[f+2],l[f+3],l[f+4]=aj[a],b.kind,b.rate,b.period
l[f+5]=b.capacity_ticks/b.ticks_per_unit
l[f+6],l[f+7]=b.max_reserved or-1,b.start or-U
l[f+8]=0
local d=b.algorithm.keeps_list or A[a].plan.algorithm.keeps_list
if not d then ci(a,l,f+8)end
end
local function l(a,b,d,o)
local j=W[a]or{}
local k=aB(j,b)
if not k and bJ(j)then return end
local f=k and table.remove(j,k)or F(a)
if not k then
y[f]=b
s(f,d)
b.algorithm.begin(f,b,0,0,h)
end
ag[f]=H(U,x(ag[f]or 0,o+aW(b)))
j[#j+1],W[a]=f,j
end
function bL(a,b,m)
local p,d=A[a],ab and ab[V+1]or 0
local r,f=y[a],ab and ab[a]or 0
if p then
r,f=p.plan,p.anchor
s(a,f)
aj[a]=nil
if p.own.definition~=r.definition then P(a,r,y[a])end
y[a]=r
end
if m>0 then
if b.definition~=r.definition then
s(a,d)
P(a,b,r)
y[a]=b
l(a,r,f,h+m)
end
aj[a]=h+m
s(a,e[a])
end
G(a,y[a])
end
function aJ(a,b)
local d=e[a]>h and c[a]==0 and(Q[a]or 0)==0 and(O[a]or 0)<=h
if d then b.algorithm.begin(a,b,0,0,h)end
end
local function k(a,b)
local i=cc(a)
if not i then return aF(a)end
local R=w(a,i,b)
if R then n(a,b,i)end
local d=R or i.definition==b.definition
if d and e[a]<=h then return end
if i.algorithm.load then i.algorithm.load(a,i)end
if aa[a]then return end
if not R then aj[a]=nil end
if not d then P(a,b,i)end
G(a,y[a])
aJ(a,y[a])
ad[a]=true
end
function aK(a,b,q,i)
local j=au(W[a])
W[a]=#j>0 and j or nil
local v=b.algorithm.used(a,b)
for o,f in ipairs(j)do
local d,m=y[f],q
if i==av or not d.algorithm.holds_leases then
local p=bK(v,b,d)-d.algorithm.used(f,d)
m=H(q,L(p/d.ticks_per_unit))
end
if m>0 then d.algorithm.charge(f,d,m,i~=av and i or h)end
end
end
for o,a in ipairs(Y)do k(a,y[a])end
end
for a=1,bm and V or 0 do
local b=y[a]
if b.algorithm.load and not aa[a]then
if not u[a]then b.algorithm.load(a,b)end
if not aa[a]then b.algorithm.see(a,b)end
end
end
local l,aW={h,0},{}
for a=1,V do
local f=aY+ba*(a-1)
local b,d=c[a],g[a]
if y[a].algorithm.note and not aa[a]then
b=y[a].algorithm.used(a,y[a])
d=H(d,b)
end
l[f+1],l[f+2]=b,h-e[a]
if d~=b and not aa[a]then aW[a]=b-d end
end
local bi=#l+1
l[bi]=0
if next(aW)or next(Q)or next(O)or next(aj)or next(X)then
for a=1,V do
local w,n,v=(aj[a]or 0)>h,X[a],O[a]or 0
if aW[a]or Q[a]or O[a]or w or n then
local f,T=#l,w and-a or a
l[bi]=l[bi]+1
l[f+1],l[f+2],l[f+3],l[f+4]=T,aW[a]or 0,Q[a]or 0,v
if n then
l[f+4]=-1-v
l[f+5],l[f+6],l[f+7],l[f+8]=unpack(n,1,bA)
end
if w then bM(a,l)end
end
end
end
local B=0
local au
local function bv(a,b,v,i)
local d=O[a]and O[a]>h
return not d and b.algorithm.used(a,b)+v<=i
end
local function ap(a,b,v,i)
if Y then aJ(a,b)end
if aa[a]then return false end
if bv(a,b,v,i)then return true end
local d=b.algorithm
if d.note then d.note(a,b,i-v)end
return false
end
local function bq(a,b,q,i)
b.algorithm.charge(a,b,q,i)
if W[a]then aK(a,b,q,i)end
ad[a]=true
end
local function bD(a)
local b=y[a]
if not ap(a,b,b.ticks_per_unit,b.capacity_ticks)then
return au and au({a})
end
bq(a,b,1,av)
B=B+1
end
if not C then
for a=1,V do bD(a)end
else
local function v(a,b,d,m)
d.advance(a,b)
local R=d.is_aligned or d.holds_leases and c[a]>0
if not R then e[a]=x(e[a],h)end
O[a]=x(e[a],h)+m
local n=X[a]
if n and n[1]==0 then X[a]={0,0,n[3],n[4]}end
end
local function bE(a)
local d,o,b,aq=unpack(X[a]or{0,0,0,0})
if d>0 or o<=h then o=0 end
if aq<=h then b,aq=0,0 end
X[a]=(o>0 or b>0)and{0,o,b,aq}or nil
end
local function K(a,b)
return b.algorithm.forget and b.algorithm.forget(a,b)
end
local function bF(a,b,d)
if O[a]and O[a]<=h then O[a]=nil end
bE(a)
local G={}
for o,f in ipairs(W[a]or{})do
if ag[f]>h and K(f,y[f])then G[#G+1]=f
else aq[#aq+1]=u[f]
end
end
W[a]=#G>0 and G or nil
if not K(a,b)then d.begin(a,b,0,0,h)end
end
local function R(a,d,f,m)
if d.show then d.show(a,l)end
bm=false
bL(a,af[f],m)
end
local function k(p,a,A,f)
local b=y[a]
local d=b.algorithm
if aa[a]then return end
if Y then aJ(a,b)end
if p==bU then d.settle(a,b,A,f)
elseif p==bT then bF(a,b,d)
elseif p==bQ then v(a,b,d,A)
elseif p==bW then O[a],X[a]=nil,nil
elseif p==bx then R(a,d,A,f)
elseif p==bS and d.holds_leases then d.release(a,b,A,f)
elseif p==bz and d.holds_leases then d.renew(a,b,A,f)
end
if Y then aJ(a,y[a])end
ad[a]=true
end
local s={}
if am and am.penalties then
local m=35
local function p(a,i)
local d,o,b,aq=unpack(X[a]or{0,0,0,0})
if o<=h then d=0 end
if d==0 then o=h+i end
if aq<=h then b,aq=0,0 end
return{d+1,o,b,aq}
end
local function q(a)
local o,f,i,G,d=unpack(C,s[a],s[a]+at[by]-1)
if f==0 or(O[a]or 0)>h then return end
local n,b=p(a,i),y[a]
X[a],ad[a]=n,true
if n[1]<f then return end
v(a,b,b.algorithm,H(G*2^n[3],d))
X[a]={0,O[a],H(n[3]+1,m),O[a]+d}
end
function au(j)
for o,a in ipairs(j)do
if aa[a]then return end
end
for o,a in ipairs(j)do
if s[a]then q(a)end
end
end
end
local function F(f,d)
if d==1 then return C[f],1,0,0,av end
return unpack(C,f,f+d-1)
end
local function n(A,t,d,p)
local m,j=not p,{}
for f=A,t,d do
local a,q,T,aB=F(f,d)
local b=y[a]
if T==1 and b.unreservable then aB=b.unreservable end
local i=T==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not ap(a,b,x(1,q)*b.ticks_per_unit+aB,i)then m,j[#j+1]=false,a end
end
if au and not p then au(j)end
for f=A,m and t or 0,d do
local a,q,o,o,i=F(f,d)
if q>0 then bq(a,y[a],q,i)end
B=B+1
end
end
local function bp(a,m)
local d=y[a].algorithm
if d.note_each and not aa[a]then d.note_each(a,y[a],m)end
end
local function j(f)
local a,q,T,r,w,P,z=unpack(C,f+1,f+at[aI])
local b=y[a]
local d=b.algorithm
if aa[a]then return end
if Y then aJ(a,b)end
if P+z>0 then
local aB=d.report or d.advance
aB(a,b,f+1+at[aI],P,z)
ad[a]=true
end
local i=T==1 and b.capacity_ticks+b.debt_ticks or b.capacity_ticks
if not bv(a,b,x(1,q)*b.ticks_per_unit,i)then return end
if q>0 then bq(a,b,q,av)end
local m=d.lend and d.lend(a,b,r,w)or 0
if m>0 and W[a]then aK(a,b,m,av)end
ad[a],B=true,B+1+m
end
local f,t=1,#C
while f<=t do
local p,d=C[f],bO(f)
if p>0 then bD(p)
elseif p==aH then n(f+1+at[aH],f+d-1,aU)
elseif p==bc then n(f+1+at[bc],f+d-1,1)
elseif p==bh then n(f+1+at[bh],f+d-1,aU,true)
elseif p==aI then j(f)
elseif p==by then s[C[f+1]]=f+1
elseif p==bV then bp(C[f+1],C[f+2])
else k(p,C[f+1],C[f+2],C[f+3])
end
f=f+d
end
end
for a=1,bm and V or 0 do
local d=y[a].algorithm
if d.show and not aa[a]then d.show(a,l)end
end
local function q(a,j)
local z,c,e,g=y[a].definition,c[a],e[a],g[a]
local p,v,i,b,o,m,n=Q[a],O[a]or 0,0,"",nil,"",""
local d,P=y[a].algorithm,nil
if d.divide then m,n=d.divide(a)end
if v~=0 then i,b=bd,D(br,v)end
if j~=""then i,b=i+bt,b..D(bw,#j,j)end
if m~=""then i,b=i+bs,b..m end
if c<16777216 and g==c and not p then
if P then o=D("<c0Bi6I3i6",z,i,e,c,P)
else o=D("<c0Bi6I3",z,i,e,c)
end
else
local k,s="<c0Bi6I3",""
if c>=1099511627776 then k,i="<c0Bi6I7",i+2
elseif c>=16777216 then k,i="<c0Bi6I5",i+1
end
if g~=c and g==0 then i=i+ao
elseif g~=c then i,s=i+aw,D("<I7",g)
end
if p then i,s=i+ar,s..D("<I7",p)end
o=D(k,z,i,e,c)..s
end
return o..b..n
end
local function r(a)
local b,d,j,f=y[a],KEYS[a],"",0
local p,v=Q[a]or 0,O[a]or 0
local m,n=b.algorithm.reset_after(a,b),X[a]
local i=n and x(n[2],n[4])-h or 0
if n and i<=0 and ai==0 then X[a]=nil end
if W[a]or aj[a]then j,f=bI(a)
elseif X[a]then j=cmsgpack.pack({X[a]})
end
m=x(m,v-h,f,i)
if not(m>0 or ai>0 and(c[a]>0 or p>0 or v>0 or n))then
if u[a]and u[a].is_apart then J("UNLINK",u[a].key)end
return J("DEL",d)
end
local K
K=aA("%d",(m<U and m or U)+ai)
J("PSETEX",d,K,q(a,j))
if b.algorithm.write then b.algorithm.write(a,K)end
if W[a]then bP(a,K)end
end
local function f()
for a=1,V do
if ad[a]and not aa[a]then r(a)end
end
for o,d in ipairs(aq)do
if d.is_apart then J("UNLINK",d.key)end
end
end
local b,F=pcall(f)
if not b then
local o=type(F)=="table"and F.err or F
B=nil
for k,a in ipairs({"OOM command","NOREPLICAS ","MISCONF "})do
if Z(o,a,1,true)then B=-k end
end
local a=Z(o,"READONLY ",1,true)
if a then return{err=string.sub(o,a)}end
if not B then error(F,0)end
end
l[aM]=B
return l
`,
} as const;

/** The script of the register. */
export const REGISTER_SCRIPT = {
  sha1: "9bca84550864330ecc3f4c1e23c3ea82bdbe596f",
  source: `local a,g=redis.call,string.format
local i,f,c=KEYS[1],KEYS[2],KEYS[3]
local l,b,j=ARGV[1],ARGV[3],ARGV[4]
local function q()
if ARGV[2]~=""then return tonumber(ARGV[2])end
local d=a("TIME")
return d[1]*1000+math.floor(d[2]/1000)
end
local function s(h)
local d=a("HGET",f,h)
return d and string.match(d,"^%d+")
end
local function k(d)
if#d==0 then return end
a("ZREM",i,unpack(d))
a("ZREM",c,unpack(d))
a("HDEL",f,unpack(d))
end
local function r(d)
local h=math.max(d+ARGV[6],a("ZSCORE",c,b)or 0)
a("ZADD",i,0,b)
a("HSET",f,b,g("%s %.0f %s",j,d,ARGV[5]))
a("ZADD",c,g("%.0f",h),b)
k(a("ZRANGEBYSCORE",c,"-inf",g("%.0f",d),"LIMIT",0,10))
local n=a("ZRANGE",c,-1,-1,"WITHSCORES")[2]-d
for m,e in ipairs(KEYS)do a("PEXPIRE",e,g("%.0f",n))end
end
local function p()
local n,o,e="("..b,"("..j,{}
for m,h in ipairs(a("ZRANGEBYLEX",i,n,o,"LIMIT",0,ARGV[5]))do
local d=a("HGET",f,h)
if d then
e[#e+1]=h
e[#e+1]=d
end
end
return e
end
if l=="list"then return p()end
if l=="put"then r(q())
elseif s(b)==j then k({b})end
return""
`,
} as const;
