# SPDX-License-Identifier: Apache-2.0
"""Wheel and sdist of the package, written here: no pip, no network, the same bytes every time.

dist.py wheel FOLDER OUT    FOLDER: the package as CMake has put it together
dist.py sdist OUT
Also the build backend of pyproject.toml (PEP 517), which runs CMake: pip install --no-build-isolation bristle-*.tar.gz
"""
import base64
import gzip
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TAG = "cp311-abi3-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
# What a build of the extension needs; folders that are not there do not matter.
SOURCES = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md", "cmake", "core", "models",
           "systems", "laws", "include", "src", "targets/python")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def version():
    return re.search(r"project\(bristle VERSION ([0-9.]+)", read(os.path.join(ROOT, "CMakeLists.txt")).decode()).group(1)


def metadata():
    summary = re.search(r'DESCRIPTION "([^"]+)"', read(os.path.join(ROOT, "CMakeLists.txt")).decode()).group(1)
    return ("Metadata-Version: 2.1\nName: bristle\n" f"Version: {version()}\nSummary: {summary}\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.11\nProvides-Extra: numpy\nRequires-Dist: numpy; extra == \"numpy\"\n"
            "Description-Content-Type: text/markdown\n\n" + read(os.path.join(HERE, "README.md")).decode()).encode()


def stripped(path):
    """The extension without its debug lines, where there is a strip."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "m.so")
        shutil.copy(path, copy)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", copy], check=True)
        return read(copy)


def complete(path, data):
    """Under its name only when it is complete."""
    with open(path + ".tmp", "wb") as file:
        file.write(data)
    os.replace(path + ".tmp", path)


def wheel(folder, out):
    info = f"bristle-{version()}.dist-info"
    files = {f"bristle/{n}": stripped(os.path.join(folder, n)) if n.endswith(".so") else read(os.path.join(folder, n))
             for n in sorted(os.listdir(folder)) if n.endswith((".py", ".pyi", ".so", ".typed"))}
    files[f"{info}/LICENSE"] = read(os.path.join(ROOT, "LICENSE"))
    files[f"{info}/METADATA"] = metadata()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: bristle\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode()
    rows = [f"{n},sha256={base64.urlsafe_b64encode(hashlib.sha256(d).digest()).rstrip(b'=').decode()},{len(d)}"
            for n, d in files.items()]
    files[f"{info}/RECORD"] = ("\n".join(rows + [f"{info}/RECORD,,"]) + "\n").encode()
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            archive.writestr(entry, content)
    os.makedirs(out, exist_ok=True)
    name = f"bristle-{version()}-{TAG}.whl"
    complete(os.path.join(out, name), data.getvalue())
    return name


def sources():
    for top in SOURCES:
        path = os.path.join(ROOT, top)
        if os.path.isfile(path):
            yield top
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(f for f in folders if not f.startswith((".", "__")))
            for name in sorted(names):
                if not re.search(r"^\.|\.pyc$|^test_.*\.(c|sh)$", name):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def sdist(out):
    top = f"bristle-{version()}"
    project = read(os.path.join(HERE, "pyproject.toml")).decode().replace('backend-path = ["."]',
                                                                          'backend-path = ["targets/python"]').encode()
    files = {"PKG-INFO": metadata(), "pyproject.toml": project}
    files.update((name, read(os.path.join(ROOT, name))) for name in sources())
    data = io.BytesIO()
    with gzip.GzipFile(fileobj=data, mode="wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
    os.makedirs(out, exist_ok=True)
    complete(os.path.join(out, f"{top}.tar.gz"), data.getvalue())
    return f"{top}.tar.gz"


# --- PEP 517 --------------------------------------------------------------------------------------------------
def build_sdist(sdist_directory, config_settings=None):
    return sdist(sdist_directory)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    more = shlex.split((config_settings or {}).get("cmake", ""))  # pip install -C cmake="-DBR_HDF5=OFF ..."
    with tempfile.TemporaryDirectory() as build:
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DBR_TESTS=OFF", "-DBR_BENCH=OFF", "-DBR_PYTHON=ON",
                        f"-DBRI_PYTHON={sys.executable}", *more], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "bri_python_package", "--parallel",
                        str(os.cpu_count() or 1)], check=True)
        return wheel(os.path.join(build, "python", "bristle"), wheel_directory)


if __name__ == "__main__":
    made = wheel(sys.argv[2], sys.argv[3]) if sys.argv[1] == "wheel" else sdist(sys.argv[2])
    print(os.path.join(sys.argv[-1], made))
