import Crypto
package import DeviceAttestation
import Octets
import StrictJSON

/// Demands on the application that responds, and the manufacturers whose word is taken for it.
///
/// The default looks at nothing.
package struct AppAttestationSettings: Sendable, Hashable {
    /// Rule for statements about the application.
    package enum Rule: String, Sendable, Hashable, CaseIterable {
        /// Statements are not looked at.
        case ignored
        /// A statement has to hold; an application that makes none passes, unless one like it has registered the key.
        case verified
        /// A statement has to be made, and to hold.
        case required
    }

    /// Applications of Apple's platforms, by App Attest.
    package struct Apple: Sendable, Hashable {
        /// Identifiers of the applications: team, a full stop, bundle; at least one.
        package var applications: Set<String>
        /// Root certificates in PEM form (RFC 7468).
        package var roots: [UInt8]
        /// Whether keys of the development environment are accepted, and production keys refused.
        package var isDevelopment = false

        package init(applications: Set<String>, roots: [UInt8]) {
            self.applications = applications
            self.roots = roots
        }
    }

    /// Applications of Android, by the key store.
    package struct Android: Sendable, Hashable {
        /// Names of the packages; at least one.
        package var packages: Set<String>
        /// SHA-256 digests of the certificates that sign the packages; at least one.
        package var signers: Set<[UInt8]>
        /// Root certificates in PEM form (RFC 7468).
        package var roots: [UInt8]
        /// List of revoked certificates, as the maker of the system publishes it (JSON); nil revokes none.
        package var revocations: [UInt8]?
        /// Demand on the device that holds the key.
        package var device = AndroidDeviceDemand()

        package init(packages: Set<String>, signers: Set<[UInt8]>, roots: [UInt8], revocations: [UInt8]? = nil) {
            self.packages = packages
            self.signers = signers
            self.roots = roots
            self.revocations = revocations
        }
    }

    /// Time after its last use for which a key of App Attest is remembered.
    package static let keyRetention: Duration = .seconds(400 * 86_400)

    /// Rule for registrations, and for authentications where those are covered.
    package var rule = Rule.ignored
    /// Whether authentications are judged like registrations.
    package var coversAuthentication = false
    /// Applications of Apple's platforms; nil takes none.
    package var apple: Apple?
    /// Applications of Android; nil takes none.
    package var android: Android?

    package init() {}
}

extension AppAttestationSettings {
    /// Throws ``ServerError/invalidSetting(name:)`` for a rule without applications, and for texts that cannot be read.
    func requireSound() throws(ServerError) {
        guard rule == .ignored || apple != nil || android != nil else {
            throw .invalidSetting(name: "app-attestation.rule")
        }
        if let apple {
            guard !apple.applications.isEmpty else {
                throw .invalidSetting(name: "app-attestation.apple.applications")
            }
            _ = try apple.trustRoots()
        }
        guard let android else { return }
        guard !android.packages.isEmpty else { throw .invalidSetting(name: "app-attestation.android.packages") }
        guard !android.signers.isEmpty else { throw .invalidSetting(name: "app-attestation.android.signers") }
        _ = try android.trustRoots()
        _ = try android.revokedSerials()
    }

    /// The settings for a policy that demands a statement of its own: stricter than these, never laxer.
    package func narrowed(to demand: PolicyDemand) -> AppAttestationSettings {
        var narrowed = self
        narrowed.rule = .required
        narrowed.coversAuthentication = true
        narrowed.apple?.applications.formIntersection(demandedApplications(demand))
        if narrowed.apple?.applications.isEmpty == true { narrowed.apple = nil }
        guard let packages = demand.packages else {
            narrowed.android = nil
            return narrowed
        }
        if !packages.isEmpty { narrowed.android?.packages.formIntersection(packages) }
        // The name of no package would be the name of every one.
        if narrowed.android?.packages.isEmpty == true { narrowed.android = nil }
        if let device = demand.device { narrowed.android?.device = android?.device.tightened(by: device) ?? device }
        return narrowed
    }

    /// The applications of Apple's platforms that a policy takes: team, a full stop, bundle.
    private func demandedApplications(_ demand: PolicyDemand) -> Set<String> {
        guard let bundles = demand.bundles, let apple else { return [] }
        return bundles.isEmpty
            ? apple.applications : apple.applications.filter { bundles.contains(Self.bundle(of: $0)) }
    }

    /// Reasons for which a demand of a policy could not be met in part; none when these settings name all that it names.
    package func hindrances(of demand: PolicyDemand) -> [String] {
        var hindrances: [String] = []
        if demand.bundles != nil && apple == nil { hindrances.append("app-attestation.apple is absent") }
        if demand.packages != nil && android == nil { hindrances.append("app-attestation.android is absent") }
        var strangers: Set<String> = []
        if let apple, let bundles = demand.bundles {
            strangers.formUnion(bundles.subtracting(apple.applications.map(Self.bundle)))
        }
        if let android, let packages = demand.packages { strangers.formUnion(packages.subtracting(android.packages)) }
        return hindrances + strangers.sorted().map { "app-attestation does not name \($0)" }
    }

    private static func bundle(of application: String) -> String {
        String(application.drop { $0 != "." }.dropFirst())
    }

    fileprivate static func roots(_ text: [UInt8], of section: String) throws(ServerError) -> TrustRoots {
        do throws(PathRefusal) {
            return try TrustRoots(pemTexts: [text])
        } catch {
            throw .invalidSetting(name: "app-attestation.\(section).roots-file")
        }
    }
}

extension AppAttestationSettings.Apple {
    /// The roots; throws ``ServerError/invalidSetting(name:)``.
    package func trustRoots() throws(ServerError) -> TrustRoots { try AppAttestationSettings.roots(roots, of: "apple") }

    package var requirement: AppAttestRequirement {
        AppAttestRequirement(
            applications: applications, environments: [isDevelopment ? .development : .production])
    }
}

extension AppAttestationSettings.Android {
    /// The SHA-256 digest that hexadecimal digits stand for, with or without colons between them; nil for another text.
    package static func signer(_ text: String) -> [UInt8]? {
        let digest = try? Hex.decode(text.filter { $0 != ":" })
        return digest?.count == SHA256.byteCount ? digest : nil
    }

    /// The roots; throws ``ServerError/invalidSetting(name:)``.
    package func trustRoots() throws(ServerError) -> TrustRoots {
        try AppAttestationSettings.roots(roots, of: "android")
    }

    /// Serial numbers of revoked certificates, hexadecimal: the names in `entries`, whatever their status says.
    ///
    /// Throws ``ServerError/invalidSetting(name:)``, also for a name that is no number: it would revoke nothing.
    package func revokedSerials() throws(ServerError) -> Set<String> {
        guard let revocations else { return [] }
        guard let list = try? JSONParser.parse(revocations, limits: .document).asObject(),
            let entries = try? list.required("entries", { value throws(JSONTypeError) in try value.asObject() }),
            entries.members.allSatisfy({ Self.isSerial($0.name) })
        else { throw .invalidSetting(name: "app-attestation.android.revoked-serials-file") }
        return Set(entries.members.map(\.name))
    }

    private static func isSerial(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}
