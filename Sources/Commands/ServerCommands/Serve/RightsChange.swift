import BackendAPI
import OpenID
import ServerConfiguration
import ServerCore
import UAF

/// Names of the rights that a new configuration gives, takes away and changes.
struct RightsChange {
    /// Names by what has become of them, such as `removedAccessKeys`; kinds without a change are left out.
    let names: [(key: String, value: [String])]

    init(from old: Deployment, to new: Deployment) {
        let (known, wanted) = (old.webSites.openID?.clients ?? [], new.webSites.openID?.clients ?? [])
        names =
            Self.names("AccessKeys", old.outOfBand.accessKeys, new.outOfBand.accessKeys) { $0.name.text }
            + Self.names("Issuers", old.tokens.trustedIssuers, new.tokens.trustedIssuers) { $0.issuer }
            + Self.names("Clients", known, wanted) { $0.id.text }
            + Self.names("Administrators", Administrator.all(of: old), Administrator.all(of: new)) { $0.name }
            + Self.names("Dispatchers", old.uaf.dispatchers, new.uaf.dispatchers) { $0.name.rawValue }
    }

    private static func names<Part: Hashable>(
        _ kind: String, _ old: [Part], _ new: [Part], _ name: (Part) -> String
    ) -> [(key: String, value: [String])] {
        let before = Dictionary(old.map { (name($0), $0) }) { first, _ in first }
        let after = Dictionary(new.map { (name($0), $0) }) { first, _ in first }
        let found = [
            (key: "added" + kind, value: after.keys.filter { before[$0] == nil }.sorted()),
            (key: "removed" + kind, value: before.keys.filter { after[$0] == nil }.sorted()),
            (
                key: "changed" + kind,
                value: after.filter { before[$0.key] != nil && before[$0.key] != $0.value }.map(\.key).sorted()
            ),
        ]
        return found.filter { !$0.value.isEmpty }
    }
}

/// Person with a role in the console.
private struct Administrator: Hashable {
    let name: String
    let role: AdministrationRole

    static func all(of deployment: Deployment) -> [Administrator] {
        (deployment.http.administration?.people ?? [:]).map { Administrator(name: $0.key.text, role: $0.value) }
    }
}
