import ServerConfiguration
import ServerCore
import Testing
import UAF

@Suite("Configuration file: the listener of administrators, and the people of its console")
struct AdministrationRuleTests {
    private static let files: [String: (text: String, permissions: UInt16)] = [
        "/etc/signet/chain.pem": ("", 0o644), "/etc/signet/key.pem": ("", 0o600),
        "/etc/signet/a.key": ("administration-0123456789-0123456789\n", 0o600),
    ]
    private static let tls = "tls: {certificate-file: chain.pem, private-key-file: key.pem}"
    private static let openID = "openid: {enabled: true}"

    private func found(_ administration: String, _ more: String = openID) -> [String] {
        problems("administration: {\(administration)}\n\(more)", files: Self.files)
    }

    @Test("People have the roles that are named for them, and no access key is needed beside them")
    func people() throws {
        let deployment = try read(
            "administration: {\(Self.tls), people: {anna: operator, \"Kim Lee\": help-desk}}\n\(Self.openID)",
            files: Self.files)
        let (anna, kim) = (try #require(UserName("anna")), try #require(UserName("Kim Lee")))
        #expect(deployment.http.administration?.people == [anna: .operator, kim: .helpDesk])
    }

    @Test(
        "People need TLS, a provider and sessions of browsers: all three are named",
        arguments: [
            ("people: {anna: operator}", openID), ("\(tls), people: {anna: operator}", ""),
            ("\(tls), people: {anna: operator}", "openid: {enabled: true, browser-session-lifetime: 0s}"),
        ])
    func needs(administration: String, more: String) {
        let found = found(administration, more)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains("administration.people: people sign in to the console with Signet") == true)
    }

    @Test("A role that does not exist is told with the roles, and a listener that nothing may use is refused")
    func mistakes() {
        let role = found("\(Self.tls), people: {anna: boss}")
        #expect(role.count == 1 && role[0].contains("administration.people.anna") && role[0].contains("help-desk"))
        let none = found(Self.tls)
        #expect(none.count == 1 && none[0].contains("nothing may administer: name people"), "\(none)")
        #expect(found("\(Self.tls), people: {}").isEmpty, "all people may be taken away while the server runs")
    }

    private func found(_ scopes: String?, listener: String) -> [String] {
        let keys = scopes.map { "out-of-band: {access-keys: [{name: a, key-file: a.key, scopes: [\($0)]}]}" } ?? ""
        return found(listener, keys)
    }

    @Test("On TCP no server starts without people or an access key that may administer", arguments: [nil, "enroll"])
    func keyMissing(scopes: String?) {
        let found = found(scopes, listener: "port: 9443")
        #expect(found.count == 1 && found[0].contains("administration.port: nothing may administer"), "\(found)")
        for scope in AccessKeyScope.allCases where scope.role != nil { #expect(found[0].contains(scope.rawValue)) }
    }

    @Test("With a key it starts, on another address than loopback with TLS only")
    func keyGiven() {
        #expect(found("\"admin:viewer\"", listener: "port: 9443").isEmpty)
        let open = found("\"admin:viewer\"", listener: "host: 10.0.0.5, port: 9443")
        #expect(open.count == 1 && open[0].contains("administration.tls: administration on another address"), "\(open)")
    }
}
