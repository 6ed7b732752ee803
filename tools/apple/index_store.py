"""Reads a Swift index store: who uses which symbol in which line, by the library of the toolchain."""
import ctypes
import os
import pathlib
import shutil

_TOOLCHAIN = pathlib.Path(os.path.realpath(shutil.which("swiftc"))).parent.parent


class _String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    @property
    def text(self):
        return ctypes.string_at(self.data, self.length).decode(errors="replace") if self.length else ""


_Item = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
_Name = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, _String)
_RECORD = 2  # INDEXSTORE_UNIT_DEPENDENCY_RECORD


def _library():
    library = ctypes.CDLL(str(_TOOLCHAIN / "lib" / "libIndexStore.so"))
    pointer, unsigned, text = ctypes.c_void_p, ctypes.c_uint, ctypes.c_char_p
    position = ctypes.POINTER(unsigned)
    signatures = {
        "store_create": (pointer, [text, pointer]),
        "store_units_apply_f": (ctypes.c_bool, [pointer, unsigned, pointer, _Name]),
        "unit_reader_create": (pointer, [pointer, text, pointer]),
        "unit_reader_is_system_unit": (ctypes.c_bool, [pointer]),
        "unit_reader_dependencies_apply_f": (ctypes.c_bool, [pointer, pointer, _Item]),
        "unit_reader_dispose": (None, [pointer]),
        "unit_dependency_get_kind": (ctypes.c_int, [pointer]),
        "unit_dependency_get_filepath": (_String, [pointer]),
        "unit_dependency_get_name": (_String, [pointer]),
        "record_reader_create": (pointer, [pointer, text, pointer]),
        "record_reader_occurrences_apply_f": (ctypes.c_bool, [pointer, pointer, _Item]),
        "record_reader_dispose": (None, [pointer]),
        "occurrence_get_symbol": (pointer, [pointer]),
        "occurrence_get_line_col": (None, [pointer, position, position]),
        "symbol_get_usr": (_String, [pointer]),
        "symbol_get_name": (_String, [pointer]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, "indexstore_" + name)
        function.restype, function.argtypes = result, arguments
    return library


def uses(store, wanted, is_source):
    """The uses of the symbols in `wanted`, as a set of (file, line, symbol's USR).

    `is_source` takes a file's path and says whether its uses matter. The number of its files comes second.
    """
    library = _library()
    handle = library.indexstore_store_create(str(store).encode(), None)
    if not handle:
        raise OSError(f"no index store — {store} — run swift build --build-tests first")
    records = set()

    def dependency(_, item):
        if library.indexstore_unit_dependency_get_kind(item) == _RECORD:
            path = library.indexstore_unit_dependency_get_filepath(item).text
            if is_source(path):
                records.add((path, library.indexstore_unit_dependency_get_name(item).text))
        return True

    dependency_callback = _Item(dependency)

    def unit(_, name):
        reader = library.indexstore_unit_reader_create(handle, name.text.encode(), None)
        if reader:
            if not library.indexstore_unit_reader_is_system_unit(reader):
                library.indexstore_unit_reader_dependencies_apply_f(reader, None, dependency_callback)
            library.indexstore_unit_reader_dispose(reader)
        return True

    library.indexstore_store_units_apply_f(handle, 1, None, _Name(unit))
    found = set()
    line, column = ctypes.c_uint(), ctypes.c_uint()
    for path, record in sorted(records):
        reader = library.indexstore_record_reader_create(handle, record.encode(), None)
        if not reader:
            continue

        def occurrence(_, item):
            usr = library.indexstore_symbol_get_usr(library.indexstore_occurrence_get_symbol(item)).text
            if usr in wanted:
                library.indexstore_occurrence_get_line_col(item, line, column)
                found.add((path, line.value, usr))
            return True

        library.indexstore_record_reader_occurrences_apply_f(reader, None, _Item(occurrence))
        library.indexstore_record_reader_dispose(reader)
    return found, len({path for path, _ in records})
