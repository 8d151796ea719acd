create type status as enum ('draft', 'active', 'archived');

create table categories (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  position integer
);

create table products (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  name text not null,
  description text,
  price double precision not null,
  stock integer,
  sku text not null unique,
  status status not null default 'draft',
  category_id uuid references categories (id)
);
