import DemoCommands
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the health of a server says.
struct HealthAnswer {
    /// The HTTP status: 200 or 503.
    let status: Int
    /// The JSON text.
    let text: String
}

extension LocalServer {
    /// Asks the management listener how the server is; throws when nothing listens.
    func health() async throws -> HealthAnswer {
        guard let address = URL(string: "http://127.0.0.1:\(managementPort)/nevisfido/health") else {
            throw URLError(.badURL)
        }
        let (body, answer) = try await URLSession.shared.data(from: address)
        return HealthAnswer(
            status: (answer as? HTTPURLResponse)?.statusCode ?? 0, text: String(decoding: body, as: UTF8.self))
    }
}
