import Testing

/// Looks up the tests that `docs/web/openid-conformance.md` names.
@Suite("docs/web/openid-conformance.md names tests that exist")
struct ConformancePageTests {
    private static let headings = [
        "Basic profile", "Discovery, rotation, logout", "Attacks beyond the profile", "Tolerated, as the standards ask",
        "Refused by choice",
    ]

    private let page: MarkdownPage

    init() throws {
        page = MarkdownPage(
            try #require(
                Repository.text(of: "docs/web/openid-conformance.md"), "docs/web/openid-conformance.md is missing"))
    }

    @Test("Each check has a test, or says what is not supported", arguments: headings)
    func rows(heading: String) {
        let rows = page.rows(of: heading)
        #expect(rows.count > 5, "nothing to compare with")
        for row in rows {
            let proof = row.last ?? ""
            #expect(row.count == 2 && (!NamedTest.all(in: proof).isEmpty || proof.contains("not supported")), "\(row)")
        }
    }

    @Test("Each test that is named exists", arguments: headings)
    func tests(heading: String) {
        for row in page.rows(of: heading) {
            for test in NamedTest.all(in: row.last ?? "") {
                #expect(test.exists(among: Repository.files), "\(row.first ?? ""): \(test.name)")
            }
        }
    }

    @Test("No check stands twice")
    func once() {
        let checks = Self.headings.flatMap { page.rows(of: $0).compactMap(\.first) }
        #expect(Set(checks).count == checks.count)
    }

    @Test("Tests are read with their folder, and one that is missing is found")
    func samples() {
        let tests = NamedTest.all(in: "`ATests/one`, `OtherTests` `BTests/two`, `claims`: `CTests`")
        #expect(
            tests == [
                NamedTest(folder: "OpenIDTests", suite: "ATests", function: "one"),
                NamedTest(folder: "OtherTests", suite: "BTests", function: "two"),
                NamedTest(folder: "OpenIDTests", suite: "CTests", function: nil),
            ])
        let file = SourceFile(
            path: "Tests/OpenIDTests/ATests.swift", text: "struct ATests { @Test(\"One\") func one() {} }")
        #expect(tests[0].exists(among: [file]) && !tests[1].exists(among: [file]) && !tests[2].exists(among: [file]))
        #expect(!NamedTest(folder: "OpenIDTests", suite: "ATests", function: "two").exists(among: [file]))
    }
}

/// Test as a page names it: `Suite/function` or `Suite`, after the folder in a code span of its own where it is another one.
private struct NamedTest: Equatable {
    private static let standardFolder = "OpenIDTests"

    let folder: String
    let suite: String
    /// Name of the function; nil for the whole suite.
    let function: String?

    /// Test as the page names it.
    var name: String { "\(folder) \(suite)" + (function.map { "/" + $0 } ?? "") }

    /// Tests of a cell, in their order.
    static func all(in text: String) -> [NamedTest] {
        var tests: [NamedTest] = []
        var folder: String?
        for span in text.matches(of: /`(\w+Tests)(?:\/(\w+))?`/) {
            let (suite, function) = (String(span.output.1), span.output.2.map(String.init))
            if function == nil, text[span.range.upperBound...].hasPrefix(" `") {
                folder = suite
            } else {
                tests.append(NamedTest(folder: folder ?? standardFolder, suite: suite, function: function))
                folder = nil
            }
        }
        return tests
    }

    /// Whether one of the files has the suite, and the test in it.
    func exists(among files: [SourceFile]) -> Bool {
        files.contains { file in
            guard file.path.hasPrefix("Tests/\(folder)/"), file.code.contains("struct \(suite) ") else { return false }
            return function.map { file.code.contains("func \($0)(") } ?? true
        }
    }
}
