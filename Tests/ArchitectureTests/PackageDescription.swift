import Foundation

/// The manifest as SwiftPM describes it, written to a file by `script/test` before the tests start.
struct PackageDescription: Decodable {
    /// One target with the modules it names as dependencies.
    struct Target: Decodable {
        var name: String
        var path: String
        var type: String
        var targetDependencies: [String]?
        var productDependencies: [String]?

        var dependencies: Set<String> { Set((targetDependencies ?? []) + (productDependencies ?? [])) }
    }

    static let location = ProcessInfo.processInfo.environment["SIGNET_PACKAGE_DESCRIPTION"]

    var targets: [Target]

    /// Reads the file that `SIGNET_PACKAGE_DESCRIPTION` names.
    init(contentsOf path: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
    }
}
