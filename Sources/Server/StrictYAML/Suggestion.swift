/// Finds the name that the operator probably meant.
package enum Suggestion {
    package static func nearest(to name: String, among known: some Sequence<String>) -> String? {
        let written = Array(name.utf8)
        var best: (name: String, distance: Int)?
        for candidate in known {
            let letters = Array(candidate.utf8)
            let isPrefix = written.count >= 3 && (letters.starts(with: written) || written.starts(with: letters))
            let distance = isPrefix ? 1 : editDistance(written, letters)
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(2, written.count / 3) else { return nil }
        return best.name
    }

    /// Levenshtein's distance.
    private static func editDistance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (index, left) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, right) in other.enumerated() {
                let substitution = diagonal + (left == right ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substitution, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
