#pragma once
// A small tensor trace, written by hand: a linear layer, forward and backward, and a sampling loop
// that carries its latents over.

#include <string>
#include <vector>

#include "trace/tensor_reader/parse_tensor_trace.h"

namespace diffram::trace {

inline std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

/// Storages: 0 weight 64 B, 1 input 32 B, 2 result 32 B. Step 0 runs once.
inline std::vector<std::string> linear_layer() {
  return {
      R"({"e":"trace","v":[1,0],"torch":"2.13.0","pretend":"cuda","how":"hybrid","batch":4,"images":2,"modules":2,"fns":1,"storages":3,"ops":1})",
      R"({"e":"mod","id":0,"up":-1,"path":"net","type":"Net"})",
      R"({"e":"mod","id":1,"up":0,"path":"net.fc","type":"Linear"})",
      R"({"e":"fn","id":0,"name":"aten.mm.default","kind":"mm","reads":[["self",1],["mat2",1]],"writes":[["out",1]]})",
      R"({"e":"sto","id":0,"bytes":64,"cls":"parameter","pre":1,"mod":1,"name":"fc.weight"})",
      R"({"e":"sto","id":1,"bytes":32,"cls":"input","pre":1,"mod":-1})",
      R"({"e":"sto","id":2,"bytes":32,"cls":"activation","pre":0,"mod":1})",
      R"({"e":"phase","n":"forward","step":0})",
      R"({"e":"alloc","s":2})",
      R"({"e":"op","i":0,"f":0,"m":1,"x":"f","r":[[1,0,0,[2,4],[4,1]],[0,0,0,[4,4],[1,4]]],"w":[[2,0,0,[2,4],[4,1]]],"mac":32,"a":{"gemm":[1,2,4,4],"beta":0.5,"mask":[true,false]}})",
      R"({"e":"free","s":2})",
      R"({"e":"end","events":4,"read":96,"write":32,"mac":32,"ops":1})",
  };
}

/// Storage 0 is the latents before the loop, 1 the latents after a step: 1 becomes 0 in the next.
inline std::vector<std::string> sampling_loop() {
  return {
      R"({"e":"trace","v":[1,0],"batch":1})",
      R"({"e":"fn","id":0,"name":"aten.mul.Tensor","kind":"elt"})",
      R"({"e":"sto","id":0,"bytes":16,"cls":"input","pre":1,"mod":-1})",
      R"({"e":"sto","id":1,"bytes":16,"cls":"activation","pre":0,"mod":-1})",
      R"({"e":"phase","n":"denoise","step":0})",
      R"({"e":"alloc","s":1})",
      R"({"e":"op","i":0,"f":0,"m":-1,"x":"f","r":[[0,0,2,[8],[1]]],"w":[[1,0,2,[8],[1]]]})",
      R"({"e":"free","s":0})",
      R"({"e":"replay","step":1,"times":48,"carry":[[1,0]]})",
      R"({"e":"phase","n":"decode","step":49})",
      R"({"e":"op","i":1,"f":0,"m":-1,"x":"f","r":[[1,0,2,[8],[1]]],"w":[]})",
      R"({"e":"free","s":1})",
      R"({"e":"end","events":8,"read":800,"write":784,"mac":0,"ops":50})",
  };
}

/// x of 2 n elements and a copy of it, affine from 2 images on: 16 n bytes read and written.
inline std::vector<std::string> affine_copy() {
  return {
      R"({"e":"trace","v":[1,0],"batch":4,"images":2,"affine":[2,3]})",
      R"({"e":"fn","id":0,"name":"aten.clone.default","kind":"copy"})",
      R"({"e":"sto","id":0,"bytes":64,"cls":"input","pre":1,"mod":-1,"d":[16]})",
      R"({"e":"sto","id":1,"bytes":32,"cls":"activation","pre":0,"mod":-1,"d":[16]})",
      R"({"e":"phase","n":"forward","step":0})",
      R"({"e":"alloc","s":1})",
      R"({"e":"op","i":0,"f":0,"m":-1,"x":"f","r":[[0,32,0,[2,4],[4,1]]],"w":[[1,0,0,[2,4],[4,1]]],"a":{"rows":[2,7],"scale":2.0,"flag":true},"d":[0,1,0,0,0,0,1,0,0,0,5,1,0]})",
      R"({"e":"end","events":3,"read":32,"write":32,"mac":0,"d":[16,16,5]})",
  };
}

inline base::Result<TensorTrace> read_lines(const std::vector<std::string>& lines,
                                            std::int64_t batch = 0) {
  return parse_tensor_trace(lines_of(lines), "hand.dft", batch);
}

/// The trace with one line replaced (an empty one is left out).
inline std::vector<std::string> with_line(std::vector<std::string> lines, std::size_t at,
                                          const std::string& line) {
  if (line.empty()) {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  } else {
    lines[at] = line;
  }
  return lines;
}

}  // namespace diffram::trace
