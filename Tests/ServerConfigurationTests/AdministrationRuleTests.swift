import ServerConfiguration
import ServerCore
import Testing

@Suite("Configuration file: the listener for administration")
struct AdministrationRuleTests {
    private static let files: [String: (text: String, permissions: UInt16)] = [
        "/etc/signet/a.key": ("administration-0123456789-0123456789\n", 0o600)
    ]

    private func found(_ scopes: String?, _ listener: String) -> [String] {
        let keys = scopes.map { "out-of-band: {access-keys: [{name: a, key-file: a.key, scopes: [\($0)]}]}\n" } ?? ""
        return problems(keys + "administration: {\(listener)}", files: Self.files)
    }

    @Test("On TCP no server starts without an access key that may administer", arguments: [nil, "enroll"])
    func keyMissing(scopes: String?) {
        let found = found(scopes, "port: 9443")
        #expect(found.count == 1 && found[0].contains("administration.port: no access key may administer"), "\(found)")
        for scope in AccessKeyScope.allCases where scope.role != nil { #expect(found[0].contains(scope.rawValue)) }
    }

    @Test("With one it starts, on another address than loopback with TLS only")
    func keyGiven() {
        #expect(found("\"admin:viewer\"", "port: 9443").isEmpty)
        let open = found("\"admin:viewer\"", "host: 10.0.0.5, port: 9443")
        #expect(open.count == 1 && open[0].contains("administration.tls: administration on another address"), "\(open)")
    }
}
