# Nix: `nix-build packaging` in a clone. It installs the archive of a release (`make archive`, or ARCHIVE), because the
# Swift of nixpkgs is older than 6.2, as far as we know. docs/install.md says what of this file could be tried.
{ pkgs ? import <nixpkgs> { }
, version ? "0.2.0"
, archive ? ../.build/archive + "/barline-${version}-x86_64.tar.gz"
}:

pkgs.stdenv.mkDerivation {
  pname = "barline";
  inherit version;
  src = archive;

  nativeBuildInputs = [ pkgs.autoPatchelfHook pkgs.installShellFiles ];
  # The archive brings libwebsockets and TagLib; these are the libraries that docs/install.md lists.
  buildInputs = with pkgs; [ alsa-lib expat libsamplerate libsndfile libyaml zlib openssl libcap stdenv.cc.cc.lib ];
  # Loaded when it is needed, so no header names it.
  runtimeDependencies = with pkgs; [ qrencode ];

  dontBuild = true;
  dontStrip = true;

  installPhase = ''
    runHook preInstall
    mkdir -p $out
    cp -R -P bin lib share $out/
    runHook postInstall
  '';

  doInstallCheck = true;
  installCheckPhase = ''
    test "$($out/bin/barline --version)" = "${version}"
    HOME=$TMPDIR $out/bin/barline render sequenza-vii --to 1.2 -o $TMPDIR/bars.wav
  '';

  meta = with pkgs.lib; {
    description = "Metronome and drone for music and runs timed in seconds";
    license = [ licenses.mit licenses.asl20 ];
    platforms = [ "x86_64-linux" ];
    mainProgram = "barline";
  };
}
