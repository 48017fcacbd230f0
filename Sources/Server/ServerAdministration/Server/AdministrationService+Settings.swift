import BackendAPI
import ServerCore
import StrictJSON
import UAF
import UAFService

/// Settings of the configuration, for reading, and keys of the server.
extension AdministrationService {
    /// Names and rights of access keys; of a key itself the server knows the hash only.
    func accessKeys(_ call: AdministrationCall) throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        return AdministrationAnswer([
            "accessKeys": .array(
                services.settings.outOfBand.accessKeys.map { key in
                    .object([
                        "name": .string(key.name.text),
                        "scopes": .array(key.rights.scopes.map(\.rawValue).sorted().map { .string($0) }),
                        "requestsPerSecond": .integer(key.rights.limit.perSecond),
                        "burst": .integer(key.rights.limit.burst),
                    ])
                })
        ])
    }

    func policies(_ call: AdministrationCall) throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        return AdministrationAnswer([
            "policies": .array(
                services.acceptance.current.listedPolicies.map {
                    .object(["name": .string($0.name.text), "default": .bool($0.isDefault), "policy": $0.json])
                })
        ])
    }

    /// Models of authenticators, by their metadata.
    func models(_ call: AdministrationCall) throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        let acceptance = services.acceptance.current
        return AdministrationAnswer([
            "models": .array(
                acceptance.metadata.statements.map {
                    .object([
                        "aaid": .string($0.aaid.text), "description": .string($0.description),
                        "revoked": .bool(acceptance.revoked.contains($0.aaid)),
                    ])
                })
        ])
    }

    /// Findings about the server at this moment, the worst first.
    func findings(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        let findings = await presentFindings().sorted { $0.severity > $1.severity }
        return AdministrationAnswer([
            "findings": .array(
                findings.map {
                    .object([
                        "id": .string($0.id), "severity": .string($0.severity.rawValue), "text": .string($0.text),
                        "remedy": .string($0.remedy),
                    ])
                })
        ])
    }

    /// Versions of the applications of the configuration that this process has seen in use, and since when.
    func applicationVersions(_ call: AdministrationCall) throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        let applications = services.acceptance.current.applicationVersions.values.sorted {
            $0.facet.text < $1.facet.text
        }
        let rows = applications.flatMap { application in
            services.applicationUse.counts(of: application.facet).map { version, count -> JSONValue in
                .object([
                    "facet": .string(application.facet.text), "version": version.map { .string($0.text) },
                    "verdict": version.map { .string(application.verdict(on: $0).rawValue) }, "count": .integer(count),
                ])
            }
        }
        return AdministrationAnswer([
            "since": .string(services.applicationUse.since.iso8601), "versions": .array(rows),
        ])
    }

    func rotateKeys(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try await passing { () async throws(ServerError) in try await services.keys.rotate() }
        return .done
    }
}
