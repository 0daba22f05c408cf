"""Operations on axes as layers."""
