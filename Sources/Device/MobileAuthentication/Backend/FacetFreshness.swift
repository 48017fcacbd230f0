import BackendTransport
import Foundation

/// How long a list of trusted facets may be used (RFC 9111, 5.2 and 5.3; five minutes where the server says nothing).
enum FacetFreshness {
    private static let fallback = Duration.seconds(300)
    private static let longest: Int64 = 86_400

    static func lifetime(of response: BackendResponse) -> Duration {
        let directives = response.headers.values(of: "Cache-Control").flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        if directives.contains("no-store") || directives.contains("no-cache") { return .zero }
        for directive in directives where directive.hasPrefix("max-age=") {
            return bounded(Int64(directive.dropFirst("max-age=".count)) ?? 0)
        }
        guard let expires = response.headers.first("Expires") else { return fallback }
        guard let end = HTTPDate.date(expires), let begin = response.headers.first("Date").flatMap(HTTPDate.date) else {
            return .zero
        }
        return bounded(Int64(end.timeIntervalSince(begin)))
    }

    private static func bounded(_ seconds: Int64) -> Duration { .seconds(min(max(0, seconds), longest)) }
}
