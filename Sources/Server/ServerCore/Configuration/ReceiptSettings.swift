/// Settings of the receipts of confirmed operations.
package struct ReceiptSettings: Sendable, Hashable {
    package var isEnabled = true
    /// Time for which their content is kept (`retention`): 1 day to 30 years.
    package var retention: Duration = .seconds(366 * 86_400)

    package init() {}
}
