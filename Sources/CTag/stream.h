#pragma once

#include <taglib/taglib.h>
#include <taglib/tbytevector.h>
#include <taglib/tiostream.h>

namespace ctag {

#if TAGLIB_MAJOR_VERSION >= 2
using Offset = TagLib::offset_t;
using Start = TagLib::offset_t;
using Count = size_t;
#else
using Offset = long;
using Start = unsigned long;
using Count = unsigned long;
#endif

/// A file for TagLib by its descriptor. TagLib's own stream drops the errors of its writes; this one keeps the first error,
/// and writes nothing after it.
class DescriptorStream final : public TagLib::IOStream {
public:
    /// The descriptor stays open.
    explicit DescriptorStream(int descriptor) : descriptor(descriptor) {}

    /// The `errno` of the first error; 0 if there was none.
    int failure() const { return error; }

    TagLib::FileName name() const override { return ""; }
    TagLib::ByteVector readBlock(Count length) override;
    void writeBlock(const TagLib::ByteVector &data) override;
    void insert(const TagLib::ByteVector &data, Start start, Count replace) override;
    void removeBlock(Start start, Count length) override;
    bool readOnly() const override { return false; }
    bool isOpen() const override { return true; }
    void seek(Offset offset, Position from) override;
    void clear() override {}
    Offset tell() const override { return position; }
    Offset length() override;
    void truncate(Offset length) override;

private:
    TagLib::ByteVector read(Offset place, Offset count);
    void write(Offset place, const char *bytes, Offset count);
    /// Moves `count` bytes to another place, which may overlap the first.
    void move(Offset from, Offset to, Offset count);
    void note(int error);

    const int descriptor;
    Offset position = 0;
    int error = 0;
};

}  // namespace ctag
