// TagLib is C++, and Swift sees CTag of it: this module is here for the linker.
