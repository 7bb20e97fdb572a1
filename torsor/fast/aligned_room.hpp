// Scratch memory that starts on a boundary of 64 bytes, as the widest registers like it.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace torsor {

struct FreeAligned {
  void operator()(std::byte* room) const { ::operator delete(room, std::align_val_t(64)); }
};
using AlignedRoom = std::unique_ptr<std::byte, FreeAligned>;

inline AlignedRoom aligned_room(std::size_t bytes) {
  return AlignedRoom(static_cast<std::byte*>(::operator new(bytes, std::align_val_t(64))));
}

}  // namespace torsor
