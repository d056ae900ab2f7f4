class OthelloGomokuArena < Formula
  desc "Write, check, play and grade bots for Othello and Gomoku"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@FILES@/arena-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:arena-@VERSION@-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@FILES@/arena-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:arena-@VERSION@-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    depends_on arch: :x86_64
    on_intel do
      url "@FILES@/arena-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:arena-@VERSION@-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "arena"
    bash_completion.install "completions/arena.bash" => "arena"
    fish_completion.install "completions/arena.fish"
    zsh_completion.install "completions/_arena"
    man1.install Dir["man/*.1"]
    doc.install "README.md", "THIRD-PARTY.txt", "docs"
    pkgshare.install "ci", "tournaments"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/arena --version")
    system bin/"arena", "match", "random", "greedy", "--games", "2"
  end
end
