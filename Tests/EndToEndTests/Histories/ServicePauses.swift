/// Pauses of the service after blows, by the name of the blow.
struct ServicePauses: Sendable {
    private var services: [String: [HistoryLoad.Service]] = [:]

    /// Names of the blows that fell.
    var blows: Set<String> { Set(services.keys) }

    /// Number of blows after which clients had no answer any more.
    var endCount: Int { services.values.joined().count { $0.firstAnswer == nil } }

    /// Adds the service after a blow.
    mutating func add(_ service: HistoryLoad.Service, after blow: String) {
        services[blow, default: []].append(service)
    }

    /// Number of blows of a name.
    func count(of blow: String) -> Int { services[blow]?.count ?? 0 }
}

extension ServicePauses: CustomStringConvertible {
    /// A line for each name: how often the blow fell, half of the times and the longest time until a request was done
    /// again, and until the last one was not.
    var description: String {
        services.sorted { $0.key < $1.key }.map { name, services in
            let back = Self.times(services.compactMap(\.firstAnswer))
            let whole = Self.times(services.map { $0.lastFailure ?? .zero })
            return "\(name): \(services.count) times; time to service \(back); time to the last failure \(whole)"
        }.joined(separator: "\n")
    }

    /// Median and maximum in milliseconds.
    private static func times(_ durations: [Duration]) -> String {
        let sorted = durations.sorted()
        guard let last = sorted.last else { return "unknown" }
        return "p50 \(milliseconds(sorted[sorted.count / 2])) ms, max \(milliseconds(last)) ms"
    }

    private static func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
}
