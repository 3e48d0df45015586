// Kernels made of the rows of opcodes.def: mostly right instructions with operands of the right kind, so that they load
// and run; one in ten is wrong in some way.
#pragma once

#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx/matrix_forms.h"
#include "ptx/mnemonic.h"
#include "ptx/rows.h"

namespace gpusim {

class Grammar {
 public:
  // keeps_addresses: the registers that hold some are not written, so that fewer kernels stop at a fault.
  explicit Grammar(u64 seed, bool keeps_addresses = false)
      : random_(seed), keeps_addresses_(keeps_addresses) {}

  std::string kernel() {
    std::string text = kHead;
    const u64 count = 4 + below(16);
    for (u64 k = 0; k < count; ++k) {
      if (below(6) == 0) text += "L" + std::to_string(labels_++) + ":\n";
      text += below(40) ? statement() : below(2) ? host_call() : packing();
    }
    return text + end();
  }

  // One instruction of that row, mostly right.
  std::string kernel_with(const ptx::Row& row, Type t) {
    std::string text;
    while (text.empty()) text = instruction(row, t, false);
    return kHead + text + end();
  }

 private:
  std::string end() {
    std::string text = "T: .branchtargets L0, L1, L2, L3;\n";
    while (labels_ < 4) text += "L" + std::to_string(labels_++) + ":\n";
    return text + "  st.global.u32 [%d1], %r1; ret;\n}\n";
  }

  static constexpr const char* kHead =
      ".version 7.6\n.target sm_80\n.address_size 64\n"
      ".shared .align 16 .b8 tile[1024];\n.const .align 16 .b8 table[64];\n.global .align 16 .b8 cells[256];\n"
      ".func (.param .b32 r) f(.param .b32 a)\n{ .reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, 1; st.param.b32 [r], %x; ret; }\n"
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".extern .func (.param .b32 r) __nv_cosf(.param .b32 a);\n"
      ".extern .func (.param .b64 r) __nv_frexp(.param .b64 a, .param .b64 b);\n"
      ".global .align 1 .b8 format[16] = {37, 100, 32, 37, 115, 37, 53, 46, 50, 102, 37, 108, 108, 120, 10, 0};\n"
      ".visible .entry test(.param .u64 out)\n{\n"
      "  .reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; .local .align 16 .b8 mine[64];\n"
      "  ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mad.wide.u32 %d1, %r1, 32, %d1; and.b32 %r2, %r1, 31; mul.wide.u32 %d2, %r2, 16;\n"
      "  mov.u64 %d3, mine; cvta.local.u64 %d4, %d3; mov.u64 %d5, table; cvta.shared.u64 %d6, %d2;\n"
      "  setp.lt.u32 %p1, %r1, 16; setp.eq.u32 %p2, %r2, 3; mov.b32 %r3, 0f3FC00000; cvt.u16.u32 %h1, %r1;\n";

  static constexpr std::size_t kMostNames = 1 << 20;

  u64 below(u64 limit) { return random_() % limit; }
  template <class T> const T& any(const std::vector<T>& list) { return list[below(list.size())]; }

  Type any_type(ptx::TypeSet set) {
    std::vector<Type> types;
    for (u8 t = u8(Type::pred); t <= u8(Type::bf16x2); ++t)
      if (set & ptx::set_of(Type(t))) types.push_back(Type(t));
    return below(400) == 0 ? Type(1 + below(u8(Type::bf16x2))) : types.empty() ? Type::none : any(types);
  }
  std::string reg(Type t, u64 from = 0) {
    if (below(500) == 0) return "_";
    if (keeps_addresses_ && size_of(t) == 8) return below(2) ? "%d0" : "%d7";
    const char* file = t == Type::pred ? "%p" : size_of(t) == 8 ? "%d" : size_of(t) == 4 ? "%r" : "%h";
    return file + std::to_string(from + below((t == Type::pred ? 4 : 8) - from));
  }
  std::string number() {
    static const std::vector<std::string> numbers = {"0",  "1",  "2",  "3",   "7",  "16",     "31",    "32",
                                                     "33", "63", "64", "255", "-1", "0x7fff", "-32768"};
    static const std::vector<std::string> large = {"0x7fffffff", "0x80000000",         "4294967295",
                                                   "4294967296", "0xffffffffffffffff", "-2147483649"};
    return below(50) == 0 ? any(large) : any(numbers);
  }
  std::string source(Type t) {
    const bool is_float = t == Type::f32 || t == Type::f64, is_half = t >= Type::f16;
    if (t == Type::pred) return (below(6) ? "" : "!") + reg(t);
    if (below(4) != 0 || (is_half && below(20))) return reg(t);  // literals of 16 bits do not exist
    if (is_float) return below(2) ? "1.5" : t == Type::f32 ? "0f7FC00001" : "0d7FF8000000000001";
    return number();
  }
  // The results of a vector or a place to load from and to store to.
  std::string vector(Type t, u32 count) {
    std::string text = "{";
    for (u32 k = 0; k < count; ++k) text += (k ? ", " : "") + reg(t);
    return text + "}";
  }
  std::string address(const std::string& modifiers) {
    const auto in = [&](const char* space) { return modifiers.find(space) != std::string::npos; };
    const std::string base = in("shared")  ? "%d2"
                             : in("local") ? "%d3"
                             : in("const") ? "%d5"
                             : in("param") ? "out"
                             : below(3)    ? "%d1"
                             : below(2)    ? "%d4"
                                           : "%d6";
    const u64 odd = below(60);
    const std::string offset = odd == 0   ? "-4"
                               : odd == 1 ? "+" + number()
                               : odd == 2 ? "+4096"
                               : below(2) ? "+8"
                                          : "";
    return "[" + (in("global") && odd == 3 ? std::string("cells") : base) +
           (in("param")       ? ""
            : offset == "+-1" ? "-1"
                              : offset) +
           "]";
  }

  // Tries again until the instruction exists; one time in 60 it need not.
  std::string statement() {
    const bool any_will_do = below(60) == 0;
    while (true) {
      const auto rows = ptx::all_rows();
      const ptx::Row& row = rows[below(rows.size())];
      if (const std::string text = instruction(row, any_type(row.types), any_will_do); !text.empty())
        return text;
    }
  }
  // Empty: there is no such instruction.
  std::string instruction(const ptx::Row& row, Type t, bool need_not_exist) {
    const Type d = row.dest_types ? any_type(row.dest_types) : t;
    std::string modifiers;
    const std::string name = mnemonic(row, d, t, &modifiers);
    if (!need_not_exist && !exists(name)) return "";
    static const std::vector<std::string> guards = {"", "", "", "", "@%p1 ", "@!%p2 "};
    const std::string text = any(guards) + name + " " + operands(row, d, t, modifiers) + ";";
    const bool calls = row.shape == Shape::call;
    return "  " + (calls ? "{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r1; " + text + " }" : text) +
           "\n";
  }
  // A call of a function that the host computes.
  std::string host_call() {
    switch (below(3)) {
      case 0:
        return "  { .param .b64 a; .param .b64 b; .param .b32 r; mov.u64 %d7, format; cvta.global.u64 %d7, %d7;"
               " st.param.b64 [a], " +
               std::string(below(8) ? "%d7" : reg(Type::b64)) + "; st.param.b64 [b], " + reg(Type::b64) +
               "; call.uni (r), vprintf, (a, b); }\n";
      case 1:
        return "  { .param .b32 a; .param .b32 r; st.param.b32 [a], " + reg(Type::b32) +
               "; call.uni (r), __nv_cosf, (a); ld.param.b32 " + reg(Type::b32) + ", [r]; }\n";
      default:
        return "  { .param .b64 a; .param .b64 b; .param .b64 r; st.param.b64 [a], " + reg(Type::b64) +
               "; st.param.b64 [b], " + reg(Type::b64) + "; call.uni (r), __nv_frexp, (a, b); ld.param.b64 " +
               reg(Type::b64) + ", [r]; }\n";
    }
  }
  // Registers put together and taken apart, and special registers.
  std::string packing() {
    static const std::vector<std::string> specials = {"%tid.x",
                                                      "%ntid.y",
                                                      "%ctaid.z",
                                                      "%nctaid.x",
                                                      "%warpid",
                                                      "%nwarpid",
                                                      "%smid",
                                                      "%nsmid",
                                                      "%lanemask_le",
                                                      "%lanemask_gt",
                                                      "%dynamic_smem_size",
                                                      "%total_smem_size",
                                                      "%clock",
                                                      "%clock_hi"};
    switch (below(6)) {
      case 0: return "  mov.b32 " + reg(Type::b32) + ", " + vector(Type::b16, 2) + ";\n";
      case 1: return "  mov.b32 " + vector(Type::b16, 2) + ", " + reg(Type::b32) + ";\n";
      case 2: return "  mov.b64 " + reg(Type::b64) + ", " + vector(Type::b16, 4) + ";\n";
      case 3: return "  mov.b64 " + vector(Type::b16, 4) + ", " + reg(Type::b64) + ";\n";
      case 4: return "  mov.u64 " + reg(Type::b64) + (below(2) ? ", %clock64;\n" : ", %globaltimer;\n");
      default: return "  mov.u32 " + reg(Type::b32) + ", " + any(specials) + ";\n";
    }
  }
  // Most names that chance puts together do not exist, and they come again and again: asked once each.
  static bool exists(const std::string& name) {
    static std::unordered_map<std::string, bool> known;
    if (known.size() > kMostNames) known.clear();
    const auto [entry, is_new] = known.try_emplace(name, false);
    if (is_new) entry->second = is_instruction(name);
    return entry->second;
  }
  static bool is_instruction(const std::string& name) {
    Instruction i;
    try {
      return ptx::read_mnemonic(name, &i).empty();
    } catch (const ptx::Unsupported&) {
      return false;
    }
  }
  std::string mnemonic(const ptx::Row& row, Type d, Type t, std::string* chosen) {
    std::string& modifiers = *chosen;
    for (const ptx::ModifierGroup& group : row.groups) {
      const bool applies = t == Type::none || (group.types & ptx::set_of(t));
      if ((applies && (group.required || below(4) == 0)) || below(200) == 0)
        modifiers += "." + std::string(any(group.names));
    }
    if (row.shape == Shape::matrix_multiply)
      modifiers = "." + std::string(ptx::kMatrixForms[below(std::size(ptx::kMatrixForms))].name);
    const std::string types = (row.dest_types ? std::string(".") + name_of(d) : "") +
                              (row.types ? std::string(".") + name_of(t) : "");
    std::string name(row.mnemonic);
    if (row.shape == Shape::atomic || row.shape == Shape::reduction) {
      const std::size_t dot = name.find('.');
      name = name.substr(0, dot) + modifiers + name.substr(dot) + types;
    } else {
      name += modifiers + types;
    }
    return name;
  }

  std::string operands(const ptx::Row& row, Type d, Type t, const std::string& modifiers) {
    const auto list = [&](Type result, std::initializer_list<Type> sources) {
      std::string text = reg(result);
      for (const Type s : sources) text += ", " + source(s);
      return text;
    };
    const u32 count = modifiers.find("v4") != std::string::npos   ? 4
                      : modifiers.find("v2") != std::string::npos ? 2
                                                                  : 1;
    const std::string value = count > 1 ? vector(t, count) : reg(t);
    const Type wide = t == Type::u16   ? Type::u32
                      : t == Type::s16 ? Type::s32
                      : t == Type::u32 ? Type::u64
                                       : Type::s64;
    const std::string mask = below(5) ? "-1" : number(), label = "L" + std::to_string(below(4));
    static const std::vector<std::string> fractions = {"", ", 0.5", ", 0f3F800000"};
    const std::string policy = modifiers.find("cache_hint") != std::string::npos ? ", " + reg(Type::b64) : "";
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"  // a new shape needs operands here
    switch (row.shape) {
      case Shape::unary:
        return row.mnemonic == "createpolicy.fractional" ? reg(t) + any(fractions) : list(t, {t});
      case Shape::binary:
      case Shape::carry2: return list(t, {t, t});
      case Shape::ternary:
      case Shape::carry3: return list(t, {t, t, row.mnemonic.starts_with("shf") ? Type::u32 : t});
      case Shape::widening2: return list(wide, {t, t});
      case Shape::widening3: return list(wide, {t, t, wide});
      case Shape::shift: return list(t, {t, Type::u32});
      case Shape::extract: return list(t, {t, Type::u32, Type::u32});
      case Shape::insert: return list(t, {t, t, Type::u32, Type::u32});
      case Shape::count: return list(Type::u32, {t});
      case Shape::lut: return list(t, {t, t, t}) + ", " + std::to_string(below(256));
      case Shape::testp: return list(Type::pred, {t});
      case Shape::permute: return list(t, {t, t, Type::u32});
      case Shape::dot: return list(Type::u32, {d, t, Type::u32});
      case Shape::compare:
        return reg(Type::pred) + (below(3) && t != Type::f16x2 ? "" : "|" + reg(Type::pred)) + ", " +
               source(t) + ", " + source(t) + combined(modifiers);
      case Shape::compare_set: return list(d, {t, t}) + combined(modifiers);
      case Shape::select: return list(t, {t, t, Type::pred});
      case Shape::slct: return list(d, {d, d, t});
      case Shape::move:
        return t == Type::b64 && below(2) == 0 ? vector(Type::b32, 2) + ", " + reg(Type::b64)
               : size_of(t) == 4 && t != Type::f32 && below(3) == 0 ? reg(t) + ", %laneid"
                                                                    : list(t, {t});
      case Shape::convert: return list(d, {t});
      case Shape::address: return list(t, {t});
      case Shape::space_test: return list(Type::pred, {Type::b64});
      case Shape::branch: return label;
      case Shape::branch_table: return "%r2, T";
      case Shape::call: return "(r), f, (a)";
      case Shape::leave:
      case Shape::fence:
      case Shape::clock: return "";
      case Shape::hint: return address(modifiers);
      case Shape::load: return value + ", " + address(modifiers) + policy;
      case Shape::store: return address(modifiers) + ", " + (count > 1 ? value : source(t)) + policy;
      case Shape::atomic:
        return reg(t) + ", " + address(modifiers) + ", " + source(t) +
               (row.mnemonic == "atom.cas" ? ", " + source(t) : "");
      case Shape::reduction: return address(modifiers) + ", " + source(t);
      case Shape::shuffle:
        return reg(t) + (below(2) ? "|" + reg(Type::pred) : "") + ", " + source(t) + ", " +
               source(Type::u32) + ", " + (below(2) ? "31" : number()) + ", " + mask;
      case Shape::vote: return list(t, {Type::pred}) + ", " + mask;
      case Shape::match:
        return reg(Type::b32) + (row.mnemonic.starts_with("match.all") ? "|" + reg(Type::pred) : "") + ", " +
               source(t) + ", " + mask;
      case Shape::activemask: return reg(t);
      case Shape::redux: return list(t, {t}) + ", " + mask;
      case Shape::warp_barrier: return mask;
      case Shape::async_copy:
        return "[%d2], [%d1], " +
               std::string(below(4)   ? "16"
                           : below(2) ? "4"
                                      : number()) +
               (below(3) ? "" : ", " + source(Type::u32));
      case Shape::async_group: return row.mnemonic == "cp.async.wait_group" ? number() : "";
      case Shape::mbarrier: {
        const bool waits = row.mnemonic.ends_with("wait");
        const std::string result = row.mnemonic.starts_with("mbarrier.arrive") ? reg(Type::b64) + ", "
                                   : waits                                     ? reg(Type::pred) + ", "
                                                                               : "";
        const bool counts =
            row.mnemonic.ends_with("init") || modifiers.find("noComplete") != std::string::npos;
        const bool parity = modifiers.find("parity") != std::string::npos;
        return result + address(modifiers) +
               (counts || parity ? ", " + source(Type::u32)
                : waits          ? ", " + source(Type::b64)
                                 : "");
      }
      case Shape::matrix_load: {
        const std::size_t x = modifiers.find(".x");
        return vector(Type::b32, x == std::string::npos ? 1 : u32(modifiers[x + 2] - '0')) + ", " +
               address(modifiers);
      }
      case Shape::matrix_multiply: return product(modifiers);
      case Shape::barrier_arrive: return below(8) ? "7, 64" : "%r2, 32";
      case Shape::sleep: return below(4) ? "20" : reg(t);
      case Shape::barrier: return below(8) ? "0" : below(2) ? "7, 32" : "%r2";
      case Shape::barrier_red: return reg(t) + ", 0, " + reg(Type::pred);
    }
#pragma GCC diagnostic pop
    return "";
  }
  std::string product(const std::string& name) {
    const auto form = ptx::matrix_form_named(name.substr(1));
    const ptx::MatrixForm& f = ptx::kMatrixForms[form ? *form : 0];
    return vector(f.sum_register(), f.sum_registers()) + ", " + vector(f.factor_register(), f.a_registers()) +
           ", " + vector(f.factor_register(), f.b_registers()) + ", " +
           vector(f.sum_register(), f.sum_registers());
  }
  std::string combined(const std::string& modifiers) {
    return modifiers.find(".and") != std::string::npos || modifiers.find(".or") != std::string::npos ||
                   modifiers.find(".xor") != std::string::npos
               ? ", " + source(Type::pred)
               : "";
  }

  std::mt19937_64 random_;
  const bool keeps_addresses_;
  u64 labels_ = 0;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
