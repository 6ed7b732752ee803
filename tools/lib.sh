# Shared by the scripts beside it; sourced, not run. The working folder is the package's root.

# Runs tools/setup unless it has succeeded before with the same lists.
ensure_setup() {
  local state
  state=$(cat tools/setup Sources/FaceKitTool/Resources/models.json | cksum)
  if [ "$(cat .cache/setup-done 2> /dev/null)" != "$state" ]; then
    tools/setup >&2
  fi
}
