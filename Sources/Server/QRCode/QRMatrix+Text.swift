extension QRMatrix {
    /// Background colour of the terminal.
    package enum TerminalBackground: Hashable, Sendable, CaseIterable {
        case dark
        case light
    }

    /// The code in block characters with its quiet zone, two modules in each character, a line break after each line.
    package func text(on background: TerminalBackground = .dark) -> String {
        let range = -Self.quietZone..<(size + Self.quietZone)
        var text = ""
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            for column in range {
                text += Self.block(
                    upper: isDrawn(column, row, on: background), lower: isDrawn(column, row + 1, on: background))
            }
            text += "\n"
        }
        return text
    }

    /// Letters are drawn in the colour that the ground is not.
    private func isDrawn(_ column: Int, _ row: Int, on background: TerminalBackground) -> Bool {
        isDark(column: column, row: row) == (background == .light)
    }

    private static func block(upper: Bool, lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
