import Testing

/// Compares the list of metrics with the sources that count them and with `docs/web/http-api.md`.
@Suite("Every metric has a text, and stands in the document")
struct MetricPageTests {
    private let listed: Set<String>

    init() throws {
        let list = try #require(Repository.text(of: "Sources/Server/ServerHTTP/Metrics/MetricHelp.swift"))
        listed = Set(list.matches(of: /"((?:signet|process)_[a-z_]+)":/).map { String($0.1) })
    }

    @Test("The document names each")
    func document() throws {
        let page = try #require(Repository.text(of: "docs/web/http-api.md"))
        #expect(listed.filter { !page.contains("`\($0)`") }.sorted() == [])
    }

    @Test("What the sources count is listed, and nothing else")
    func sources() {
        var counted: Set<String> = []
        for file in Repository.sources {
            for match in file.text.matches(of: /(?:label: |into: |makeCounter\()"((?:signet|process)_[a-z_]+)"/) {
                counted.insert(String(match.1))
            }
        }
        #expect(counted == listed)
    }

    @Test("Alerts, their tests and the dashboard ask for metrics that exist, and for each of ours somewhere")
    func prometheus() throws {
        var asked: Set<String> = []
        for name in ["alerts.yml", "alerts_test.yml", "dashboard.json"] {
            let text = try #require(Repository.text(of: "packaging/prometheus/\(name)"))
            for match in text.matches(of: /\b((?:signet|process)_[a-z_]+)\b/) {
                asked.insert(String(match.1).replacing(/_bucket$/, with: ""))
            }
        }
        #expect(asked.subtracting(listed).sorted() == [])
        #expect(listed.filter { $0.hasPrefix("signet_") }.subtracting(asked).sorted() == [])
    }
}
