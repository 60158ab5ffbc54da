#include "ctag.h"
#include "stream.h"

#include <cerrno>
#include <cstdio>

#include <taglib/chapterframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mpegfile.h>
#include <taglib/opusfile.h>
#include <taglib/tableofcontentsframe.h>
#include <taglib/textidentificationframe.h>
#include <taglib/vorbisfile.h>
#include <taglib/xiphcomment.h>

using namespace TagLib;

namespace {

String text(const char *utf8) { return String(utf8, String::UTF8); }

void fill(Ogg::XiphComment &comment, const char *title, const char *composer, const ctag_chapter *chapters,
    uint32_t count) {
    if (*title) comment.addField("TITLE", text(title));
    if (*composer) comment.addField("COMPOSER", text(composer));
    if (*composer) comment.addField("ARTIST", text(composer));
    for (uint32_t i = 0; i < count; i++) {
        char key[32], time[32];
        uint32_t ms = chapters[i].start_ms;
        std::snprintf(key, sizeof key, "CHAPTER%03u", i + 1);
        std::snprintf(time, sizeof time, "%02u:%02u:%02u.%03u", ms / 3600000, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
        comment.addField(key, String(time));
        comment.addField(std::string(key) + "NAME", text(chapters[i].name));
    }
}

bool write_mp3(IOStream *stream, const char *title, const char *composer, const ctag_chapter *chapters,
    uint32_t count) {
    MPEG::File file(stream, ID3v2::FrameFactory::instance(), false);
    if (!file.isValid()) return false;
    ID3v2::Tag *tag = file.ID3v2Tag(true);
    if (*title) tag->setTitle(text(title));
    if (*composer) {
        auto *frame = new ID3v2::TextIdentificationFrame("TCOM", String::UTF8);
        frame->setText(text(composer));
        tag->addFrame(frame);
        tag->setArtist(text(composer));
    }
    if (count > 255) count = 255;
    ByteVectorList names;
    for (uint32_t i = 0; i < count; i++) {
        char id[16];
        std::snprintf(id, sizeof id, "chp%u", i);
        names.append(ByteVector(id));
        auto *name = new ID3v2::TextIdentificationFrame("TIT2", String::UTF8);
        name->setText(text(chapters[i].name));
        ID3v2::FrameList inside;
        inside.append(name);
        // The offsets in bytes are not used: all ones.
        tag->addFrame(new ID3v2::ChapterFrame(
            ByteVector(id), chapters[i].start_ms, chapters[i].end_ms, 0xffffffff, 0xffffffff, inside));
    }
    if (count > 0) {
        auto *table = new ID3v2::TableOfContentsFrame(ByteVector("toc"), names);
        table->setIsTopLevel(true);
        table->setIsOrdered(true);
        tag->addFrame(table);
    }
    return file.save(MPEG::File::ID3v2, File::StripNone, ID3v2::v4, File::DoNotDuplicate);
}

template <typename File>
bool write_ogg(IOStream *stream, const char *title, const char *composer, const ctag_chapter *chapters,
    uint32_t count) {
    File file(stream, false);
    if (!file.isValid() || !file.tag()) return false;
    fill(*file.tag(), title, composer, chapters, count);
    return file.save();
}

bool write_flac(IOStream *stream, const char *title, const char *composer, const ctag_chapter *chapters,
    uint32_t count) {
    FLAC::File file(stream, ID3v2::FrameFactory::instance(), false);
    if (!file.isValid()) return false;
    fill(*file.xiphComment(true), title, composer, chapters, count);
    return file.save();
}

}  // namespace

ctag_result ctag_write(
    int descriptor, ctag_type type, const char *title, const char *composer, const ctag_chapter *chapters,
    uint32_t count) {
    // Nothing that a library throws may leave a C function.
    try {
        ctag::DescriptorStream stream(descriptor);
        bool saved = false;
        switch (type) {
        case CTAG_FLAC: saved = write_flac(&stream, title, composer, chapters, count); break;
        case CTAG_VORBIS: saved = write_ogg<Ogg::Vorbis::File>(&stream, title, composer, chapters, count); break;
        case CTAG_OPUS: saved = write_ogg<Ogg::Opus::File>(&stream, title, composer, chapters, count); break;
        case CTAG_MP3: saved = write_mp3(&stream, title, composer, chapters, count); break;
        }
        if (stream.failure() != 0) {
            errno = stream.failure();
            return CTAG_SYSTEM;
        }
        if (saved) return CTAG_WRITTEN;
    } catch (...) {
    }
    return CTAG_UNREADABLE;
}
