import ArgumentParser
import CommandSupport
import OpenID
import UAFService

/// Command that acts once on the services of an installation and reports one outcome.
///
/// Servers that run on the same database continue.
protocol AdministrationCommand: AsyncParsableCommand {
    associatedtype Services: AdministeredServices

    /// Databases that the command accepts; all of them unless it says otherwise.
    static var expectation: EmptyDatabase.Expectation { get }
    var options: ServerOptions { get }

    func outcome(on services: Services) async throws -> CommandReport.Outcome
}

extension AdministrationCommand {
    static var expectation: EmptyDatabase.Expectation { .any }

    func run() async throws {
        try await options.report {
            try await options.onInstallation(expecting: Self.expectation) { try await outcome(on: Services.of($0)) }
        }
    }
}

/// Services on which a command acts: services of phones, or of web sites.
protocol AdministeredServices {
    static func of(_ installation: ServerInstallation) -> Self
}

extension ServerServices: AdministeredServices {
    static func of(_ installation: ServerInstallation) -> ServerServices { installation.services }
}

extension OpenIDServer: AdministeredServices {
    static func of(_ installation: ServerInstallation) -> OpenIDServer { installation.sites }
}
