import OpenID
import ServerConfiguration
import ServerCore
import UAF

/// Requirement of a standard on a verifier or provider, in our words, with what answers it.
struct ProfileRow: Sendable {
    /// Answer to a requirement.
    enum Answer: Sendable {
        /// A setting meets it, with some values.
        case setting(ProfileSetting)
        /// The server meets it whatever is configured; the test that shows it, as suite and function.
        case test(String)
        /// Others have to meet it, or it asks for nothing here; a sentence says why.
        case outside(String)
    }

    /// Number of the section or article.
    let section: String
    let demand: String
    let answer: Answer

    init(_ section: String, _ demand: String, _ answer: Answer) {
        self.section = section
        self.demand = demand
        self.answer = answer
    }

    /// A requirement that a setting meets while `isMet` holds; `help` says in the imperative what to set.
    init(
        _ section: String, _ demand: String, _ name: String, _ value: @escaping ProfileSetting.Reading, help: String,
        isMet: @escaping @Sendable (ProfileSubject) -> Bool
    ) {
        self.init(section, demand, .setting(ProfileSetting(name: name, help: help, value: value, isMet: isMet)))
    }
}

/// Setting that meets a requirement.
struct ProfileSetting: Sendable {
    typealias Reading = @Sendable (ProfileSubject) -> String

    /// Name in the configuration file.
    let name: String
    let help: String
    /// The present value, in words.
    let value: Reading
    let isMet: @Sendable (ProfileSubject) -> Bool
}

/// Configuration that is compared with a standard, and the metadata that it names.
struct ProfileSubject: Sendable {
    let deployment: Deployment
    let catalog: MetadataCatalog

    /// Alternatives of authenticator models that are taken: of every policy, or each model where there is none.
    var alternatives: [[MetadataStatement]] {
        let (uaf, statements) = (deployment.uaf, catalog.statements)
        guard !uaf.policies.isEmpty else {
            return statements.filter { !uaf.revokedAAIDs.contains($0.aaid) }.map { [$0] }
        }
        return uaf.policies.values.flatMap { policy in
            policy.policy.accepted.flatMap { set in Self.combinations(of: set.map { statements.filter($0.fits) }) }
        }
    }

    /// Combinations that are looked at in one set, the first ones: sets have one or two criteria.
    private static let combinationLimit = 4_096

    /// One model for each criteria, in every way.
    private static func combinations(of models: [[MetadataStatement]]) -> [[MetadataStatement]] {
        models.reduce([[]]) { combinations, models in
            Array(
                combinations.lazy.flatMap { combination in models.map { combination + [$0] } }.prefix(combinationLimit))
        }
    }

    /// Longest time from the request for an authentication out of band to its answer.
    var longestAuthentication: Duration {
        let provider = deployment.webSites.openID
        let waits = [
            deployment.outOfBand.tokenLifetime(.authentication), provider?.backchannelLifetime,
            (provider?.codeRotation).map { $0 * 2 }, provider.map { _ in SignInPageSessions.pushLifetime },
        ]
        return (waits.compactMap(\.self).max() ?? .zero) + deployment.uaf.responseLifetime
    }
}

extension MetadataStatement {
    /// Whether each of its ways to use a key verifies who is there.
    var verifiesPerson: Bool {
        !userVerificationDetails.isEmpty
            && userVerificationDetails.allSatisfy { methods in
                methods.contains { !$0.userVerification.isDisjoint(with: Self.factors) }
            }
    }

    /// Whether one of its ways to use a key needs no biometric.
    var hasSecret: Bool {
        userVerificationDetails.contains { methods in
            methods.allSatisfy { $0.userVerification.isSubset(of: [.passcode, .pattern]) }
        }
    }

    /// Whether it signs with algorithms that NIST approves only: no SM2, and secp256k1 for block chains only (SP 800-186).
    var hasApprovedAlgorithms: Bool {
        Set(authenticationAlgorithms).isDisjoint(with: [
            .secp256k1ECDSASHA256Raw, .secp256k1ECDSASHA256DER, .sm2SM3Raw,
        ])
    }

    private static let factors: UserVerification = [
        .fingerprint, .passcode, .voiceprint, .faceprint, .eyeprint, .pattern, .handprint,
    ]
}
