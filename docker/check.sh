#!/usr/bin/env bash
# Builds the image and runs it as it is meant to run: as its user, without rights, on a read-only root. Needs a container engine.
set -euo pipefail
cd "$(dirname "$0")/.."
image=spanlight:check

docker build --file docker/Dockerfile --tag "$image" .
container="$(docker run --detach --read-only --cap-drop ALL --security-opt no-new-privileges --volume /data "$image")"
trap 'docker rm --force --volumes "$container" > /dev/null' EXIT

about() { docker inspect --format "$1" "$container"; }
for _ in $(seq 60); do
  [ "$(about '{{.State.Health.Status}}')" = healthy ] && break
  sleep 1
done
if [ "$(about '{{.State.Health.Status}}')" != healthy ]; then
  echo "the container did not become healthy:"
  docker logs "$container"
  exit 1
fi
[ "$(about '{{.Config.User}}')" = 65532:65532 ]
docker exec "$container" /usr/local/bin/spanlight healthcheck
docker cp "$container":/usr/share/doc/spanlight/third-party-licenses.txt - | grep --text --quiet 'elysia '
docker stop --time 30 "$container" > /dev/null
[ "$(about '{{.State.ExitCode}}')" = 0 ]

if docker compose version > /dev/null 2>&1; then
  for file in docker/compose.yaml docker/compose.postgres.yaml; do
    POSTGRES_PASSWORD=chosen docker compose --file "$file" config --quiet
  done
fi
echo "the image runs without rights on a read-only root, becomes healthy and stops with 0"
