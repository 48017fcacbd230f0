import StrictJSON
import Testing
import UAF

@Suite("AppID and Facet Specification 1.1, 3.1.2: rules of facets")
struct FacetRuleTests {
    private static let bank = "ios:bundle-id:com.example.bank"
    private static let list = "https://uaf.example.com/facets.json"

    private func evaluation(
        appID: String = list, facetID: String = bank, suffixes: PublicSuffixRules = .none
    ) throws -> FacetEvaluation {
        FacetEvaluation(
            appID: try AppID(appID).unwrapped(), facetID: try FacetID(facetID).unwrapped(), suffixes: suffixes)
    }

    private func listed(
        _ ids: [String], status: Int = 200, fields: [FacetResponse.Field]? = nil
    ) throws -> FacetResponse {
        let document = TrustedFacetList(
            entries: [.init(ids: try ids.map { try FacetID($0).unwrapped() })]
        ).document
        return FacetResponse(
            status: status,
            fields: fields ?? [FacetResponse.Field(name: "content-type", value: TrustedFacetList.mediaType)],
            body: document)
    }

    private func redirect(_ target: String, authorized: [String]) -> FacetResponse {
        let fields = authorized.map { FacetResponse.Field(name: "fido-appid-redirect-authorized", value: $0) }
        return FacetResponse(
            status: 302, fields: fields + [FacetResponse.Field(name: "Location", value: target)], body: [])
    }

    private func isAllowed(
        _ response: FacetResponse?, appID: String = list, facetID: String = bank,
        suffixes: PublicSuffixRules = .none
    ) throws -> Bool {
        var evaluation = try evaluation(appID: appID, facetID: facetID, suffixes: suffixes)
        guard case .fetch = evaluation.start() else { return false }
        if case .allowed = evaluation.resume(response) { return true }
        return false
    }

    @Test("A listed application is let in, an unlisted one and a failed fetch are not")
    func listing() throws {
        #expect(try isAllowed(listed([Self.bank])))
        #expect(try !isAllowed(listed(["ios:bundle-id:com.other"])))
        #expect(try !isAllowed(nil))
        #expect(try !isAllowed(listed([Self.bank], status: 404)))
        #expect(try !isAllowed(listed([Self.bank], fields: [])))
    }

    @Test("Wildcards and other schemes do not match", arguments: ["ios:bundle-id:*", "http://uaf.example.com", "x"])
    func wildcards(id: String) throws {
        #expect(try !isAllowed(listed([id])))
    }

    @Test("A redirect is followed only with exactly one header of the exact value, to https, five times at most")
    func redirects() throws {
        let target = "https://cdn.example.com/f.json"
        for (authorized, expected) in [(["true"], true), ([], false), (["True"], false), ([""], false)] {
            var evaluation = try evaluation()
            _ = evaluation.start()
            let step = evaluation.resume(redirect(target, authorized: authorized))
            #expect((step == .fetch(url: target)) == expected)
        }
        var twice = try evaluation()
        _ = twice.start()
        #expect(twice.resume(redirect(target, authorized: ["true", "true"])) == .refused)
        var plain = try evaluation()
        _ = plain.start()
        #expect(plain.resume(redirect("http://cdn.example.com/f", authorized: ["true"])) == .refused)
        var many = try evaluation()
        _ = many.start()
        for _ in 0..<FacetEvaluation.redirectLimit {
            #expect(many.resume(redirect(target, authorized: ["true"])) == .fetch(url: target))
        }
        #expect(many.resume(redirect(target, authorized: ["true"])) == .refused)
    }

    @Test("After a redirect the private label of the original AppID counts")
    func redirectedLabel() throws {
        var evaluation = try evaluation(facetID: "https://www.cdn.net")
        _ = evaluation.start()
        _ = evaluation.resume(redirect("https://cdn.net/f", authorized: ["true"]))
        #expect(try evaluation.resume(listed(["https://www.cdn.net"])) == .refused)
    }

    @Test(
        "A listed origin must share the private label of the AppID",
        arguments: [
            ("https://www.example.co.nz/a", "https://app.example.co.nz", true),
            ("https://example.co.nz/a", "https://attacker.co.nz", false),
            ("https://example.co.nz/a", "https://co.nz", false),
            ("https://www.example.com/a", "https://example-test.com", false),
            ("https://www.example.com/a", "https://FIDO.example.com:8443", true),
            ("https://10.0.0.1/a", "https://11.0.0.1", false),
        ])
    func privateLabel(appID: String, facetID: String, expected: Bool) throws {
        let suffixes = PublicSuffixRules(rules: ["co.nz", "nz"])
        #expect(try isAllowed(listed([facetID]), appID: appID, facetID: facetID, suffixes: suffixes) == expected)
    }

    @Test(
        "An origin is not taken for another by tricks of spelling",
        arguments: [
            "https://www.example.com@evil.org", "https://evil.org\\@www.example.com", "https://www.example.com:99999",
            "https://www.example.com.evil.org", "https:///www.example.com", "https://", "https://www.exämple.com",
            "https://www.example.com:80:80", "https://www.ex%61mple.com", "https://www.example.com /",
        ])
    func spelling(facetID: String) throws {
        #expect(try !isAllowed(listed(["https://www.example.com"]), facetID: facetID))
        let appID = "https://www.example.com/facets"
        var evaluation = try evaluation(appID: appID, facetID: facetID)
        #expect(try evaluation.start() != .allowed(AppID(appID).unwrapped()))
    }

    @Test("A trailing slash and the default port make no difference, a path does")
    func originForms() throws {
        let ids = ["https://www.example.com"]
        for (facetID, expected) in [
            ("https://www.example.com/", true), ("https://WWW.example.com:443", true),
            ("https://www.example.com:8443", false), ("https://www.example.com/path", false),
            ("https://www.example.com?q", false),
        ] { #expect(try isAllowed(listed(ids), facetID: facetID) == expected, "\(facetID)") }
    }

    @Test("A list has exactly one entry for the version of the message")
    func oneEntry() throws {
        let facet = try FacetID(Self.bank).unwrapped()
        let type = [FacetResponse.Field(name: "Content-Type", value: TrustedFacetList.mediaType)]
        let entry = TrustedFacetList.Entry(ids: [facet])
        let old = TrustedFacetList.Entry(version: ProtocolVersion(major: 1, minor: 0), ids: [facet])
        for (entries, expected) in [([entry, old], true), ([old], false), ([entry, entry], false)] {
            let body = TrustedFacetList(entries: entries).document
            #expect(try isAllowed(FacetResponse(status: 200, fields: type, body: body)) == expected)
        }
    }

    @Test("A list that is too large, mistyped or no JSON is refused")
    func documents() throws {
        for text in [
            "", "[]", "{}", #"{"trustedFacets":{}}"#, #"{"trustedFacets":[{"version":{"major":1},"ids":["a"]}]}"#,
            #"{"trustedFacets":[{"version":{"major":1,"minor":"1"},"ids":["a"]}]}"#,
            #"{"trustedFacets":[{"version":{"major":1,"minor":1},"ids":[1]}]}"#,
            #"{"trustedFacets":[{"version":{"major":1,"minor":1},"ids":"a"}]}"#,
        ] { #expect(throws: MessageError.self) { try TrustedFacetList(document: Array(text.utf8)) } }
        var large = try listed([Self.bank]).body
        large += [UInt8](repeating: 0x20, count: TrustedFacetList.byteLimit)
        #expect(throws: MessageError.self) { try TrustedFacetList(document: large) }
    }

    @Test("A server knows its own facets, byte by byte for applications")
    func ownList() throws {
        let list = TrustedFacetList(
            entries: [.init(ids: [try FacetID(Self.bank).unwrapped(), try FacetID("https://a.example").unwrapped()])])
        for (id, expected) in [
            (Self.bank, true), ("ios:bundle-id:com.example.Bank", false), ("https://A.example/", true),
            ("https://a.example/x", false), ("http://a.example", false), ("android:apk-key-hash:*", false),
        ] { #expect(try list.names(FacetID(id).unwrapped()) == expected, "\(id)") }
        #expect(try !list.names(FacetID(Self.bank).unwrapped(), version: ProtocolVersion(major: 1, minor: 0)))
    }
}
