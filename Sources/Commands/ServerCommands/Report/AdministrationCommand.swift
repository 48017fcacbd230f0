import ArgumentParser
import CommandSupport
import OpenID
import UAFService

/// Command that acts once on the services of an installation and reports one outcome.
///
/// Servers that run on the same database continue.
protocol AdministrationCommand: AsyncParsableCommand {
    /// Databases that the command accepts; all of them unless it says otherwise.
    static var expectation: EmptyDatabase.Expectation { get }
    var options: ServerOptions { get }

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome
}

extension AdministrationCommand {
    static var expectation: EmptyDatabase.Expectation { .any }

    func run() async throws {
        try await options.reportOnServices(expecting: Self.expectation) { services in
            try await outcome(on: services)
        }
    }
}

/// Command about web sites that acts once on an installation and reports one outcome.
///
/// Servers that run on the same database continue.
protocol SiteAdministrationCommand: AsyncParsableCommand {
    var options: ServerOptions { get }

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome
}

extension SiteAdministrationCommand {
    func run() async throws {
        try await options.reportOnSites { server in try await outcome(on: server) }
    }
}
