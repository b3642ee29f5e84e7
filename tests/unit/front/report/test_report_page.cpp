#include "sdbench/front/report/report_page.h"

#include "catch.h"
#include "scratch_folder.h"
#include "sdbench/base/errors/error.h"

using namespace sdbench;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the hash of an inline script is the policy's form of SHA-256") {
  // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
  CHECK(csp_source("alert(1)") == "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='");
}

TEST_CASE("data cannot end the element that holds it, and is UTF-8 whatever comes") {
  const std::string text =
      json_for_script({{"a", "</script><!--<script>"}, {"b", "\xff"}, {"c", "grün"}});
  CHECK(text.find('<') == std::string::npos);
  CHECK_THAT(text, ContainsSubstring("\\u003c/script>"));
  CHECK_THAT(text, ContainsSubstring("\xef\xbf\xbd"));
  CHECK(Json::parse(text)["a"] == "</script><!--<script>");
}

TEST_CASE("a page is its parts, and a policy that allows no others") {
  const test::ScratchFolder folder;
  folder.write(
      "page.html",
      "{{title}}|{{heading}}|{{rows}}|{{policy}}|{{style}}|{{data}}|{{library}}|{{script}}");
  folder.write("style.css", "p {}");
  folder.write("chart.min.js", "lib();\n//# sourceMappingURL=chart.min.js.map\n");
  folder.write("scripts/2.js", "second();\n");
  folder.write("scripts/1.js", "first();\n");
  folder.write("scripts/notes.txt", "no script");
  const std::string page =
      report_page({{"x", "{{rows}}"}}, "<td>{{data}}</td>", folder.path(), "<b>{{title}}");
  const std::string script = "\"use strict\";\n(() => {\nfirst();\nsecond();\n})();\n";
  CHECK(page ==
        "&lt;b&gt;{{title}}|&lt;b&gt;{{title}}|<td>{{data}}</td>|default-src 'none'; script-src " +
            csp_source("lib();\n") + " " + csp_source(script) + "; style-src " +
            csp_source("p {}") +
            "; base-uri 'none'; form-action 'none'|p {}|{\"x\":\"{{rows}}\"}|lib();\n|" + script);
}

TEST_CASE("a part that is missing is named") {
  const test::ScratchFolder folder;
  folder.write("page.html", "");
  folder.write("style.css", "");
  CHECK_THROWS_WITH(report_page({}, "", folder.path()), ContainsSubstring("chart.min.js"));
}
