#include "stream.h"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace TagLib;

namespace ctag {

static const Offset block = 1 << 16;

void DescriptorStream::note(int number) {
    if (error == 0) error = number;
}

ByteVector DescriptorStream::read(Offset place, Offset count) {
    ByteVector bytes(static_cast<unsigned int>(count), 0);
    Offset done = 0;
    while (error == 0 && done < count) {
        ssize_t got = pread(descriptor, bytes.data() + done, static_cast<size_t>(count - done), place + done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) note(errno);
        if (got <= 0) break;
        done += got;
    }
    bytes.resize(static_cast<unsigned int>(done));
    return bytes;
}

void DescriptorStream::write(Offset place, const char *bytes, Offset count) {
    Offset done = 0;
    while (error == 0 && done < count) {
        ssize_t written = pwrite(descriptor, bytes + done, static_cast<size_t>(count - done), place + done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return note(written < 0 ? errno : ENOSPC);
        done += written;
    }
}

void DescriptorStream::move(Offset from, Offset to, Offset count) {
    for (Offset done = 0; error == 0 && done < count;) {
        Offset size = std::min(block, count - done);
        // Towards the end of the file, the last bytes go first.
        Offset skip = to > from ? count - done - size : done;
        ByteVector bytes = read(from + skip, size);
        if (static_cast<Offset>(bytes.size()) < size) return note(EIO);
        write(to + skip, bytes.data(), size);
        done += size;
    }
}

ByteVector DescriptorStream::readBlock(Count count) {
    Offset left = std::max(length() - position, Offset(0));
    ByteVector bytes = read(position, std::min(static_cast<Offset>(std::min(count, Count(1) << 30)), left));
    position += static_cast<Offset>(bytes.size());
    return bytes;
}

void DescriptorStream::writeBlock(const ByteVector &data) {
    write(position, data.data(), static_cast<Offset>(data.size()));
    position += static_cast<Offset>(data.size());
}

void DescriptorStream::insert(const ByteVector &data, Start from, Count replace) {
    Offset start = static_cast<Offset>(from), end = length();
    Offset rest = std::min(start + static_cast<Offset>(replace), end);
    Offset place = start + static_cast<Offset>(data.size());
    move(rest, place, end - rest);
    write(start, data.data(), static_cast<Offset>(data.size()));
    if (place + end - rest < end) truncate(place + end - rest);
    position = place;
}

void DescriptorStream::removeBlock(Start start, Count count) { insert(ByteVector(), start, count); }

void DescriptorStream::seek(Offset offset, Position from) {
    position = from == Current ? position + offset : from == End ? length() + offset : offset;
}

Offset DescriptorStream::length() {
    struct stat about;
    if (fstat(descriptor, &about) == 0) return about.st_size;
    note(errno);
    return 0;
}

void DescriptorStream::truncate(Offset length) {
    if (error == 0 && ftruncate(descriptor, length) != 0) note(errno);
}

}  // namespace ctag
