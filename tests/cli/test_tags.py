"""What the user says of a machine by --tag: in the row, told apart, found again, and private."""

import csv
import json
import re

import pytest
from made_up_cards import made_up_cards, write_rows
from program import finish, run, start
from stub import csv_rows


def rows_of(stub, *arguments):
    code, _, err = stub.run("", "-q", *arguments)
    assert code == 0, err
    return csv_rows(stub.folder / "r.csv")


@pytest.fixture
def cooled(stub):
    """Two coolers, one of them in two rooms."""
    for tags in (["cooler=air", "room_c=21"], ["cooler=air", "room_c=24"], ["cooler=water", "room_c=21"]):
        rows_of(stub, "-o", "r.csv", *(word for tag in tags for word in ("--tag", tag)))
    return stub


def compared(stub, *arguments):
    process = start(stub.folder, "compare", "r.csv", *arguments, program=stub.program)
    return finish(process)


def test_tags_stand_in_the_row_and_in_no_id(stub):
    plain, tagged = rows_of(stub, "-o", "r.csv"), rows_of(stub, "-o", "r.csv", "--tag", "room_c=21", "--tag", "cooler=air")[1:]
    assert [row["tags"] for row in plain + tagged] == ["", "cooler=air room_c=21"]
    assert all(plain[0][name] == tagged[0][name] for name in ("workload_id", "variant_id", "env_id", "cell_id"))


def test_a_config_file_and_its_cells_may_have_tags(stub):
    (stub.folder / "c.json").write_text(json.dumps({"tag": "room_c=21", "cells": [{"steps": 2}, {"steps": 3, "tag": ["cooler=air"]}]}))
    assert [row["tags"] for row in rows_of(stub, "--config", "c.json", "-o", "r.csv")] == ["room_c=21", "cooler=air"]


@pytest.mark.parametrize("tags, words", [
    (["cooler"], 'tag must be KEY=VALUE with a key'), (["=x"], 'tag must be KEY=VALUE'), (["a=1", "a=2"], "names a twice"),
    (["a=" + 300 * "v"], "at most 100 bytes"), (["a=b\x1b[2J"], "without blanks"), (["a=b c"], "without blanks"), (["Cooler=x"], "tag must be KEY=VALUE")])
def test_a_bad_tag_is_one_line_and_nothing_runs(stub, tags, words):
    code, out, err = stub.run("", "-o", "r.csv", *(word for tag in tags for word in ("--tag", tag)))
    assert (code, out) == (2, "") and words in err and err.count("\n") == 1 and "\x1b" not in err, err
    assert not (stub.folder / "r.csv").exists()


def test_rows_of_other_tags_are_not_done_for_resume(cooled):
    assert len(rows_of(cooled, "-o", "r.csv", "--resume", "--tag", "room_c=21", "--tag", "cooler=water")) == 3
    assert len(rows_of(cooled, "-o", "r.csv", "--resume", "--tag", "cooler=oil")) == 4
    assert len(rows_of(cooled, "-o", "r.csv", "--resume")) == 5


def test_compare_tells_tags_apart_and_pools_by_the_key_that_is_asked_for(cooled):
    def places(*arguments):
        code, out, err = compared(cooled, "--format", "json", *arguments)
        assert code == 0, err
        return sorted((place["machine"].split(", ", 1)[-1], place["rows"]) for place in json.loads(out)["places"])
    assert places() == [("cooler=air room_c=21", 1), ("cooler=air room_c=24", 1), ("cooler=water room_c=21", 1)]
    assert places("--rows", "tag:cooler") == [("cooler=air", 2), ("cooler=water", 1)]
    assert places("--rows", "tag:room_c") == [("room_c=21", 2), ("room_c=24", 1)]
    assert places("--rows", "tags", "--filter", "tag:cooler=air") == [("cooler=air room_c=21", 1), ("cooler=air room_c=24", 1)]
    assert sum(rows for _, rows in places("--columns", "tag:cooler")) == 3


@pytest.mark.parametrize("layout", [["--columns", "tag:cooler"], ["--columns", "tags"], ["--columns", "engine"], ["--columns", "dtype_unet"],
                                    ["--rows", "device_name,dtype_unet,engine"]], ids=lambda words: words[1])
def test_a_row_out_of_memory_stands_on_the_line_of_its_card_however_columns_are_made(tmp_path, layout):
    """Such a row does not know its dtype and threads; rows of its ids do."""
    rows = [{**row, "tags": f"cooler={cooler}", "run_id": f"{row['run_id']} {cooler}"} for cooler in ("air", "water") for row in made_up_cards(3, restarts=1)]
    write_rows(tmp_path / "rows.jsonl", rows)
    code, out, err = run(tmp_path, "compare", "rows.jsonl", *layout, "--format", "json")
    assert code == 0, err
    places = json.loads(out)["places"]
    lines = {place["row"] for place in places if place["value"] is not None}
    failed = [place for place in places if place["value"] is None]
    assert [place["status"] for place in failed] == 2 * ["oom_device"]
    assert {place["row"] for place in failed} <= lines
    assert len({place["machine"] for place in places}) == len({place["row"] for place in places}) == len(lines)


def test_the_command_of_a_missing_cell_gives_its_row_the_tags_of_the_machine(tmp_path):
    rows = [{**row, "tags": f"cooler={cooler}", "run_id": f"{row['run_id']} {cooler}"} for cooler in ("air", "wa|ter") for row in made_up_cards(1, restarts=1)]
    write_rows(tmp_path / "rows.jsonl", rows[:-1])
    code, out, err = run(tmp_path, "compare", "rows.jsonl", "--missing", "--format", "md")
    assert code == 0, err
    [command] = [line for line in out.splitlines() if "sdbench reproduce" in line]
    assert "--tag 'cooler=wa" in command and "cooler=air" not in command, command


@pytest.mark.parametrize("arguments, words", [
    (["--rows", "tag:"], "--rows must have the key of a --tag after tag:"), (["--filter", "tag:a b=c"], "--filter must have the key of a --tag after tag:"),
    (["--filter", "tag:cooler=oil"], "whose tag:cooler is air or water"), (["--rows", "tag:cooler", "--columns", "tags"], "must not both name tags"),
    (["--rows", "tag:nope"], "none has tag:nope; there is tag:cooler and tag:room_c"), (["--columns", "tag:nope"], "none has tag:nope"),
    (["--fields", "tag:cooler", "-o", "t.md"], "add --private"),
    (["--fields", "tag:"], "--fields must have the key of a --tag after tag:"), (["--rows", "tag:cooler", "--fields", "tag:room_c"], "also name, but names")])
def test_mistakes_with_tags_in_compare_are_one_line(cooled, arguments, words):
    code, out, err = compared(cooled, *arguments)
    assert (code, out) == (2, "") and words in err and err.count("\n") == 1, err


def test_people_see_the_tags_of_rows_where_they_see_labels(stub):
    code, out, err = stub.run("", "-o", "r.csv", "-o", "r.md", "-o", "r.org", "--tag", "cooler=air", "--tag", "note=<b>")
    assert code == 0 and re.search(r"^  tags +cooler=air note=<b>$", out, re.MULTILINE), out + err
    for file, text in (("r.md", "cooler=air note=&lt;b>"), ("r.org", "cooler=air note=\\lt{}b>")):
        head, _, row = [line for line in (stub.folder / file).read_text().splitlines() if line.startswith("|")]
        assert row.split("|")[head.split("|").index(" tags ")].strip() == text
    rows_of(stub, "-o", "plain.md")
    assert " tags " not in (stub.folder / "plain.md").read_text()


def test_the_reports_table_without_scripts_has_tags_and_only_a_private_one_the_real_ones(cooled):
    def table(*arguments):
        code, _, err = run(cooled.folder, "report", "r.csv", "-o", "p.html", *arguments)
        assert code == 0, err
        return re.search(r"<table border.*?</table>", (cooled.folder / "p.html").read_text(), re.DOTALL)[0]
    shared, private = table(), table("--private")
    assert "<th>tags</th>" in shared and len(re.findall("<td>tags=[0-9a-f]{6}</td>", shared)) == 3 and "air" not in shared
    assert private.count("<td>cooler=air room_c=21</td>") == 1


def test_fields_show_tags_by_key_and_only_where_they_are_not_left_out_of_sight(cooled):
    code, out, err = compared(cooled, "--format", "csv", "--fields", "tag:room_c,value", "--metric", "unet_it_s")
    assert code == 0, err
    assert sorted(row["tag:room_c"] for row in csv.DictReader(out.splitlines())) == ["21", "21", "24"]
    code, out, err = compared(cooled, "--format", "json", "--rows", "tag:cooler", "--fields", "tag:cooler,rows")
    assert code == 0, err
    assert sorted((place["tag:cooler"], place["rows"]) for place in json.loads(out)["places"]) == [("air", 2), ("water", 1)]
    code, out, err = compared(cooled, "--rows", "tag:cooler,tag:room_c", "--columns", "steps", "--fields", "tag:room_c,tags")
    assert code == 0 and "room_c=24" in out, err


def test_shared_rows_have_made_up_tags_that_still_tell_them_apart(cooled):
    [host] = {row["host"] for row in csv_rows(cooled.folder / "r.csv")}
    for owner in ("ann", "bob"):
        rows_of(cooled, "-o", "r.csv", "--tag", f"owner={owner}@{host}")
    code, _, err = run(cooled.folder, "merge", "r.csv", "-o", "shared.csv", "--redact", program=cooled.program)
    assert code == 0, err
    with open(cooled.folder / "shared.csv", newline="") as file:
        tags = [row["tags"] for row in csv.DictReader(file)]
    assert len(set(tags)) == 5 and all(re.fullmatch("tags=[0-9a-f]{6}", text) for text in tags)
    assert compared(cooled, "-o", "t.md")[0] == 0
    assert "air" not in (cooled.folder / "t.md").read_text() and (cooled.folder / "t.md").read_text().count("tags=") >= 3
