"""The pages that belong to no feature: home, health."""
