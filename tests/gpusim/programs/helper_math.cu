// expect: float3 (1.5, 3.5, 5.5) (2, 4, 6) (0.5, 1, 1.5) (-1, -2, -3)
// expect: dot 32, cross (-3, 6, -3), length 5, normalized (0.6, 0, 0.8)
// expect: lerp (2.5, 3.5, 4.5), clamp (1, 2, 2.5), clamp (2, 2, 3), reflect (1, 1, 0)
// expect: int4 (5, 7, 9, 11) max (4, 5, 6, 7) abs (1, 2, 3, 4), uint2 (10, 20)
// expect: floor (1, -2), frac (0.5, 0.5), fmod (1.5, 0.5), smoothstep (0, 0.5), own -1
// expect: host dot 32, converted (1, 2, 3, 0) (7, 7, 7) (1, 2, 9)
#include <helper_math.h>

#include <cstdio>

// A program may have operators of its own.
__host__ __device__ float2 operator%(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__global__ void reckon(float3 a, float3 b, int4 i) {
  float3 sum = a + 0.5f;
  sum += make_float3(0, 1, 2);
  float3 half = a / 2, twice = 2 * a;
  printf("float3 (%g, %g, %g) (%g, %g, %g) (%g, %g, %g) (%g, %g, %g)\n", sum.x, sum.y, sum.z, twice.x, twice.y, twice.z,
         half.x, half.y, half.z, (-a).x, (-a).y, (-a).z);
  const float3 c = cross(a, b), n = normalize(make_float3(3, 0, 4));
  printf("dot %g, cross (%g, %g, %g), length %g, normalized (%g, %g, %g)\n", dot(a, b), c.x, c.y, c.z,
         length(make_float3(3, 0, 4)), n.x, n.y, n.z);
  const float3 l = lerp(a, b, 0.5f), k = clamp(a, 1.0f, 2.5f), m = clamp(a, make_float3(2.0f), make_float3(3.0f)),
               r = reflect(make_float3(1, -1, 0), make_float3(0, 1, 0));
  printf("lerp (%g, %g, %g), clamp (%g, %g, %g), clamp (%g, %g, %g), reflect (%g, %g, %g)\n", l.x, l.y, l.z, k.x, k.y, k.z,
         m.x, m.y, m.z, r.x, r.y, r.z);
  const int4 four = make_int4(4, 5, 6, 7), s = i + four, x = max(i, four), p = abs(-i);
  uint2 u = make_uint2(1, 2);
  u *= 10;
  printf("int4 (%d, %d, %d, %d) max (%d, %d, %d, %d) abs (%d, %d, %d, %d), uint2 (%u, %u)\n", s.x, s.y, s.z, s.w, x.x, x.y,
         x.z, x.w, p.x, p.y, p.z, p.w, u.x, u.y);
  const float2 v = make_float2(1.5f, -1.5f), f = floorf(v), fr = fracf(v),
               mod = fmodf(make_float2(5.5f, 2.5f), make_float2(2.0f)),
               step = smoothstep(make_float2(0.0f), make_float2(1.0f), make_float2(-1.0f, 0.5f));
  printf("floor (%g, %g), frac (%g, %g), fmod (%g, %g), smoothstep (%g, %g), own %g\n", f.x, f.y, fr.x, fr.y, mod.x, mod.y,
         step.x, step.y, (make_float2(0, 1) % make_float2(0, 1)).x);
}

int main() {
  const float3 a = make_float3(1, 2, 3), b = make_float3(4, 5, 6);
  reckon<<<1, 1>>>(a, b, make_int4(1, 2, 3, 4));
  cudaDeviceSynchronize();
  const float4 wide = make_float4(a);
  const int3 seven = make_int3(7);
  const float3 made = make_float3(make_float2(make_int2(1, 2)), 9);
  printf("host dot %g, converted (%g, %g, %g, %g) (%d, %d, %d) (%g, %g, %g)\n", dot(a, b), wide.x, wide.y, wide.z, wide.w,
         seven.x, seven.y, seven.z, made.x, made.y, made.z);
}
// SPDX-License-Identifier: MIT
