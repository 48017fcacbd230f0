import BackendAPI
import ServerConfiguration
import ServerCore
import Testing
import UAF

@Suite("Configuration file: versions of applications")
struct ApplicationRuleTests {
    private static let facets = #"facets: ["ios:bundle-id:a", "ios:bundle-id:b"]"#

    private func text(_ applications: String) -> String {
        "fido-uaf: {\(Self.facets), applications: [\(applications)]}"
    }

    @Test("An application is read whole, and one with a facet alone wants nothing")
    func reads() throws {
        let address = "https://store.example/apps?id=a"
        let full =
            #"{facet: "ios:bundle-id:a", minimum: "5.0", latest: "5.2.0", blocked: ["5.0.3", "5.1"], "#
            + #"store-url: "\#(address)", message: {en: "Please", de: "Bitte"}}"#
        let applications = try read(text(full + #", {facet: "ios:bundle-id:b"}"#)).uaf.applications
        let first = try #require(applications.first)
        #expect(applications.map(\.facet.text) == ["ios:bundle-id:a", "ios:bundle-id:b"])
        #expect(first.minimum?.text == "5.0" && first.latest?.text == "5.2.0" && first.blocked.count == 2)
        #expect(first.storeAddress == address && first.messages == ["en": "Please", "de": "Bitte"])
        #expect(applications.last?.named.isEmpty == true)
        #expect(try read("").uaf.applications.isEmpty)
    }

    @Test(
        "What cannot be meant is told",
        arguments: [
            "{}", #"{facet: "ios:bundle-id:c"}"#, #"{facet: "ios:bundle-id:a", minimum: "new"}"#,
            #"{facet: "ios:bundle-id:a", minimum: "2.0", latest: "1.9"}"#,
            #"{facet: "ios:bundle-id:a", blocked: ["1.0", "x"]}"#,
            #"{facet: "ios:bundle-id:a", store-url: "http://store.example"}"#,
            #"{facet: "ios:bundle-id:a", store-url: "https://store.example/\"><script>"}"#,
            #"{facet: "ios:bundle-id:a", message: {english: "Please"}}"#,
            #"{facet: "ios:bundle-id:a", message: {en: ""}}"#, #"{facet: "ios:bundle-id:a", block: ["1.0"]}"#,
            #"{facet: "ios:bundle-id:a"}, {facet: "ios:bundle-id:a"}"#,
        ])
    func refused(application: String) {
        #expect(problems(text(application)).count == 1, "\(problems(text(application)))")
    }

    @Test("A list has a hundred applications and a hundred blocked versions, and no more")
    func limits() {
        func many(_ count: Int) -> String {
            let facets = (0..<count).map { "\"ios:bundle-id:\($0)\"" }
            let applications = facets.map { "{facet: \($0)}" }
            return
                "fido-uaf: {facets: [\(facets.joined(separator: ","))], applications: [\(applications.joined(separator: ","))]}"
        }
        func blocked(_ count: Int) -> String {
            let versions = (0..<count).map { "\"1.\($0)\"" }.joined(separator: ",")
            return text(#"{facet: "ios:bundle-id:a", blocked: [\#(versions)]}"#)
        }
        #expect(problems(many(100)).isEmpty && problems(blocked(100)).isEmpty)
        #expect(problems(many(101)).count == 1 && problems(blocked(101)).count == 1)
    }
}
