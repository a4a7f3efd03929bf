"""Spreadsheets as Excel and LibreOffice save them, small ones: rows by the name of their sheet."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date
from html import escape

_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
_DOC = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns"
Rows = Sequence[Sequence[object]]


def xlsx(
    sheets: Mapping[str, Rows], *, place: str = "", extra: Mapping[str, bytes] | None = None, packed: bool = True
) -> bytes:
    """As Excel saves it; ``place`` is where all cells say they are, ``extra`` are further parts."""
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{at}" r:id="rId{at}"/>' for at, name in enumerate(sheets, 1)
    )
    links = "".join(
        f'<Relationship Id="rId{at}" Type="{_DOC}/worksheet" Target="worksheets/sheet{at}.xml"/>'
        for at in range(1, len(sheets) + 1)
    )
    styles = f'<Relationship Id="rId99" Type="{_DOC}/styles" Target="styles.xml"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_TYPES}"><Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_RELS}"><Relationship Id="rId1" Type="{_DOC}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_DOC}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_RELS}">{links}{styles}</Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
        "</styleSheet>",
    }
    for at, rows in enumerate(sheets.values(), 1):
        cells = "".join(
            f'<row r="{row}">{"".join(_xlsx_cell(cell, place or f"{chr(64 + col)}{row}") for col, cell in enumerate(line, 1))}</row>'
            for row, line in enumerate(rows, 1)
        )
        parts[f"xl/worksheets/sheet{at}.xml"] = f'<worksheet xmlns="{_MAIN}"><sheetData>{cells}</sheetData></worksheet>'
    return _zipped(
        {name: f'<?xml version="1.0"?>{text}'.encode() for name, text in parts.items()} | {**(extra or {})}, packed
    )


def _xlsx_cell(cell: object, place: str) -> str:
    if isinstance(cell, date):
        return f'<c r="{place}" s="1"><v>{(cell - date(1899, 12, 30)).days}</v></c>'
    if isinstance(cell, str):
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>'
    return f'<c r="{place}"><v>{cell}</v></c>'


def ods(sheets: Mapping[str, Rows], *, repeated: int = 1, blank_rows: int = 0, packed: bool = True) -> bytes:
    """As LibreOffice saves it; every row and every cell is said to come ``repeated`` times."""
    more = f' table:number-rows-repeated="{repeated}"' if repeated > 1 else ""
    tables = "".join(
        f'<table:table table:name="{escape(name)}">'
        + "".join(
            f"<table:table-row{more}>{''.join(_ods_cell(cell, repeated) for cell in row)}</table:table-row>"
            for row in rows
        )
        + (
            f'<table:table-row table:number-rows-repeated="{blank_rows}"><table:table-cell '
            'table:number-columns-repeated="16384"/></table:table-row>'
            if blank_rows
            else ""
        )
        + "</table:table>"
        for name, rows in sheets.items()
    )
    spaces = " ".join(f'xmlns:{name}="{_OFFICE}:{name}:1.0"' for name in ("office", "table", "text"))
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    content = f"<office:document-content {spaces}>{body}</office:document-content>"
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'<manifest:manifest xmlns:manifest="{_OFFICE}:manifest:1.0"><manifest:file-entry manifest:full-path="/" '
        f'manifest:media-type="{kind}"/></manifest:manifest>'
    )
    parts = {"mimetype": kind, "content.xml": f'<?xml version="1.0"?>{content}', "META-INF/manifest.xml": manifest}
    return _zipped({name: text.encode() for name, text in parts.items()}, packed)


def _ods_cell(cell: object, repeated: int) -> str:
    more = f' table:number-columns-repeated="{repeated}"' if repeated > 1 else ""
    if isinstance(cell, date):
        return f'<table:table-cell{more} office:value-type="date" office:date-value="{cell.isoformat()}"/>'
    if isinstance(cell, str):
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in cell.split("\n"))
        return f'<table:table-cell{more} office:value-type="string">{lines}</table:table-cell>'
    return f'<table:table-cell{more} office:value-type="float" office:value="{cell}"/>'


def _zipped(parts: Mapping[str, bytes], packed: bool) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()
