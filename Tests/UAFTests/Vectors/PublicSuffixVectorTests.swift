import Foundation
import StrictJSON
import TestSupport
import Testing
import UAF

@Suite("AppID and Facet Specification 1.1, 3.1.2: least-specific private label")
struct PublicSuffixVectorTests {
    private static let listPath = "/usr/share/publicsuffix/public_suffix_list.dat"
    static var hasList: Bool { FileManager.default.fileExists(atPath: listPath) }

    @Test(
        "The list's own test cases give the stated domains",
        .enabled(if: VectorFolder.isPresent, VectorFolder.absence),
        .enabled(if: hasList, "the package publicsuffix is not installed"))
    func cases() throws {
        let rules = PublicSuffixRules(list: try String(contentsOfFile: Self.listPath, encoding: .utf8))
        let files = try VectorFolder.files(in: "public-suffix")
        try #require(!files.isEmpty)
        for file in files {
            let document = try JSONParser.parse(VectorFolder.bytes(of: "public-suffix/\(file)"), limits: .document)
            for entry in try document.asObject().objects("cases") {
                entry.requireOnly("host", "registrable")
                guard case .string(let host)? = entry["host"] else { continue }
                let found = rules.registrableDomain(of: host)
                guard case .string(let expected)? = entry["registrable"] else {
                    #expect(found == nil, "\(host)")
                    continue
                }
                // Domains are given out as A-labels; the cases name some twice, once in Unicode.
                let same = rules.registrableDomain(of: expected)
                #expect(found != nil && found == same, "\(host)")
            }
        }
    }

    @Test("Without a list the last label is a public suffix")
    func defaultRule() {
        #expect(PublicSuffixRules.none.registrableDomain(of: "a.b.Example.com") == "example.com")
        #expect(PublicSuffixRules.none.registrableDomain(of: "com") == nil)
        #expect(PublicSuffixRules.none.registrableDomain(of: "a..com") == nil)
    }

    @Test("Wildcards cover one label, exceptions lift them")
    func wildcards() {
        let rules = PublicSuffixRules(rules: ["ck", "*.ck", "!www.ck"])
        #expect(rules.registrableDomain(of: "b.test.ck") == "b.test.ck")
        #expect(rules.registrableDomain(of: "test.ck") == nil)
        #expect(rules.registrableDomain(of: "a.www.ck") == "www.ck")
    }

    @Test("Rules in Unicode apply to A-labels")
    func unicode() {
        let rules = PublicSuffixRules(rules: ["公司.cn"])
        #expect(rules.registrableDomain(of: "shishi.xn--55qx5d.cn") == "shishi.xn--55qx5d.cn")
        #expect(rules.registrableDomain(of: "xn--55qx5d.cn") == nil)
    }
}
