# The arena, with the interpreters and compilers that bots need, for Docker and Podman. It is built from an unpacked
# release for Linux: docker build -t arena arena-0.1.0-x86_64-unknown-linux-musl. docs/continuous-integration.md shows how
# to run it.
FROM docker.io/library/debian:trixie-slim
# Further packages of Debian for bots: --build-arg MORE="golang-go python3-numpy"
ARG MORE=""
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        bubblewrap ca-certificates git \
        python3 nodejs default-jdk-headless gcc g++ make cmake rustc cargo $MORE \
    && rm -rf /var/lib/apt/lists/* \
    # Repositories that a continuous-integration server mounts belong to another user.
    && git config --system --add safe.directory '*' \
    && useradd --create-home --uid 1000 arena \
    # With docker run --user, any user must be able to write to these folders.
    && install -d -m 1777 /home/arena /work
# Not in a system folder, because sandboxed bots could start the built-in players there.
COPY . /opt/arena
ENV PATH=/opt/arena:$PATH HOME=/home/arena LANG=C.UTF-8
USER arena
WORKDIR /work
ENTRYPOINT ["arena"]
